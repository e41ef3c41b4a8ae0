"""The work of one shard, as it runs in a process of its own: load, call the domain, write pictures and then one part.
Nothing here knows Prefect or the lineage file: a part under its final name is the whole result."""

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from core.identity import canonical_json
from core.records import Decision, Sample, Stage
from core.seeding import stream
from filters.integrity import check
from injectors.base import Injection, InjectionContext, Rejection
from injectors.registry import INJECTORS
from sources.base import Quarantined, SourceItem
from sources.registry import reader
from storage.objects import ObjectStore
from storage.parts import PartInfo, PartStore, Row
from storage.rows import candidate_rows, candidates_in, decision_rows, sample_rows, samples_in
from tasks.specs import FilterShard, InjectionShard, SourceShard


class WorkPlace(NamedTuple):
    """Where a shard's results go, and the run they are made for."""

    objects_url: str
    run_id: str
    code_commit: str


def read_source_shard(shard: SourceShard, place: WorkPlace) -> None:
    started, clock = datetime.now(UTC), time.monotonic()
    objects, rows = _objects(place.objects_url), list[Row]()
    for item in reader(shard.recipe.reader).read(shard.recipe):
        if isinstance(item, SourceItem):
            for blob in item.blobs:
                objects.put(blob)
            rows += sample_rows(item.sample, item.facts)
        rows += decision_rows(_read_decision(item, shard))
    info = PartInfo(
        key=shard.key,
        stage=Stage.READ,
        source=shard.recipe.reader,
        parameters=canonical_json(shard.recipe.model_dump(mode="json")),
        run_id=place.run_id,
        code_commit=place.code_commit,
        started=started,
        seconds=time.monotonic() - clock,
    )
    _parts(place.objects_url).write(info, rows)


def inject_shard(shard: InjectionShard, place: WorkPlace) -> None:
    started, clock = datetime.now(UTC), time.monotonic()
    objects, rows = _objects(place.objects_url), list[Row]()
    pool = _pool(place.objects_url, shard.pool)
    donors = dict(zip(shard.samples, shard.donors, strict=False))
    for sample_id in shard.samples:
        context = InjectionContext(
            stream=stream(shard.seed, sample_id, shard.subtype),
            read_picture=objects.get,
            degradation=shard.degradation,
            missing_instruction=shard.missing_instruction,
            donor=pool.get(donors.get(sample_id, "")),
        )
        result = INJECTORS[shard.subtype].apply(pool[sample_id], context)
        if isinstance(result, Injection):
            for blob in result.blobs:
                objects.put(blob)
            rows += candidate_rows(result.candidate)
        rows += decision_rows(_injection_decision(result, sample_id, shard))
    info = PartInfo(
        key=shard.key,
        stage=Stage.INJECT,
        subtype=shard.subtype,
        injector_version=shard.injector_version,
        seed=shard.seed,
        parameters=canonical_json(shard.model_dump(mode="json", exclude={"samples", "donors"})),
        run_id=place.run_id,
        code_commit=place.code_commit,
        started=started,
        seconds=time.monotonic() - clock,
    )
    _parts(place.objects_url).write(info, rows)


def filter_shard(shard: FilterShard, place: WorkPlace) -> None:
    started, clock = datetime.now(UTC), time.monotonic()
    injection, objects, parts = shard.injection, _objects(place.objects_url), _parts(place.objects_url)
    pool = _pool(place.objects_url, injection.pool)
    rows = list[Row]()
    for candidate in candidates_in(parts.read(Stage.INJECT, injection.key)):
        decision = check(candidate, pool[candidate.parent], objects.get, injection.degradation)
        rows += decision_rows(decision)
    info = PartInfo(
        key=shard.key,
        stage=Stage.FILTER,
        subtype=injection.subtype,
        seed=injection.seed,
        parameters=canonical_json({"filter": shard.filter_version, "injection": injection.key}),
        run_id=place.run_id,
        code_commit=place.code_commit,
        started=started,
        seconds=time.monotonic() - clock,
    )
    parts.write(info, rows)


def _read_decision(item: SourceItem | Quarantined, shard: SourceShard) -> Decision:
    decided_by = f"{shard.recipe.reader}@{shard.reader_version}"
    if isinstance(item, SourceItem):
        row = f"{item.sample.source}:{item.sample.source_id}"
        return Decision(stage=Stage.READ, item=row, output=item.sample.id, keep=True, decided_by=decided_by)
    return Decision(
        stage=Stage.READ,
        item=f"{item.source}:{item.source_id}",
        keep=False,
        reason=item.reason,
        evidence=item.detail,
        decided_by=decided_by,
    )


def _injection_decision(result: Injection | Rejection, sample_id: str, shard: InjectionShard) -> Decision:
    kept = isinstance(result, Injection)
    return Decision(
        stage=Stage.INJECT,
        item=sample_id,
        output=result.candidate.id if kept else None,
        subtype=shard.subtype,
        keep=kept,
        reason=None if kept else result.reason,
        evidence="" if kept else result.detail,
        decided_by=f"{shard.subtype}@{shard.injector_version}",
    )


@lru_cache(maxsize=4)
def _objects(url: str) -> ObjectStore:
    return ObjectStore(url)


@lru_cache(maxsize=4)
def _parts(url: str) -> PartStore:
    return PartStore(url)


@lru_cache(maxsize=2)
def _pool(url: str, key: str) -> dict[str, Sample]:
    return {sample.id: sample for sample in samples_in(_parts(url).read(Stage.SAMPLE, key))}
