"""The work of one shard, as it runs in a process of its own: load, call the domain, write pictures and then one part.
Nothing here knows Prefect or the lineage file: a part under its final name is the whole result."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from core.identity import canonical_json
from core.recipe import DegradationRecipe
from core.records import Decision, FlawedSample, Sample, Stage
from core.seeding import stream
from core.taxonomy import AnySubtype
from filters.integrity import check
from injectors.base import Injection, InjectionContext, Rejection
from injectors.registry import INJECTORS
from sources.base import Quarantined, SourceItem
from sources.registry import reader
from storage.objects import ObjectStore
from storage.parts import PartInfo, PartStore, Row
from storage.rows import candidate_rows, candidates_in, decision_rows, sample_rows, samples_in, source_row_id
from tasks.decisions import decide
from tasks.question_pictures import QuestionPictures
from tasks.specs import FilterShard, InjectionShard, PartName, SourceShard


class WorkPlace(NamedTuple):
    """Where the results of a shard go, and the run they are made for."""

    objects_url: str
    run_id: str
    code_commit: str


class PartFacts(NamedTuple):
    """What a part says of itself beside its key, its run and its time; see `PartInfo`."""

    key: str
    stage: Stage
    parameters: object
    subtype: AnySubtype | None = None
    source: str | None = None
    injector_version: int | None = None
    seed: int | None = None


def read_source_shard(shard: SourceShard, place: WorkPlace) -> None:
    objects = _objects(place.objects_url)
    facts = PartFacts(shard.key, Stage.READ, shard.recipe.model_dump(mode="json"), source=shard.recipe.reader)
    with new_part(facts, place) as rows, objects.writing() as put:
        for item in reader(shard.recipe.reader).read(shard.recipe):
            if isinstance(item, SourceItem):
                for blob in item.blobs:
                    put(blob)
                rows += sample_rows(item.sample, item.facts)
            rows += decision_rows(_read_decision(item, shard))


def make_candidates(shard: FilterShard, place: WorkPlace) -> None:
    """The parts of the shard that are not there yet. Those of a shard that asks models were injected before."""
    injection, parts = shard.injection, _parts(place.objects_url)
    if isinstance(injection, InjectionShard) and not parts.exists(Stage.INJECT, injection.key):
        inject_and_filter(injection, shard, place)
    elif not parts.exists(Stage.FILTER, shard.key):
        filter_stored(shard, place)


def inject_and_filter(injection: InjectionShard, shard: FilterShard, place: WorkPlace) -> None:
    """Both for one question after the other, whose pictures are then at hand. `seconds` of both parts are those of all
    the work; the decisions on candidates are written after the candidates."""
    objects, pool = _objects(place.objects_url), read_pool(place.objects_url, injection.pool)
    donors = dict(zip(injection.samples, injection.donors, strict=False))
    with (
        new_part(_filter_facts(shard), place) as filtered,
        new_part(_injection_facts(injection), place) as injected,
        objects.writing() as put,
    ):
        for sample_id in injection.samples:
            sample, pictures = pool[sample_id], QuestionPictures(objects)
            result = _inject(injection, sample, pool.get(donors.get(sample_id, "")), pictures)
            if isinstance(result, Injection):
                pictures.add(result.blobs)
                for blob in result.blobs:
                    put(blob)
                injected += candidate_rows(result.candidate)
                filtered += _filter(result.candidate, sample, pictures, injection.degradation)
            made = result.candidate.id if isinstance(result, Injection) else result
            decided_by = f"{injection.subtype}@{injection.injector_version}"
            injected += decision_rows(decide(Stage.INJECT, sample_id, injection.subtype, made, decided_by))


def filter_stored(shard: FilterShard, place: WorkPlace) -> None:
    injection, objects = shard.injection, _objects(place.objects_url)
    pool = read_pool(place.objects_url, injection.pool)
    candidates = candidates_in(_parts(place.objects_url).read(Stage.INJECT, injection.key))
    with new_part(_filter_facts(shard), place) as rows:
        for candidate in candidates:
            rows += _filter(candidate, pool[candidate.parent], QuestionPictures(objects), injection.degradation)


def _inject(
    shard: InjectionShard, sample: Sample, donor: Sample | None, pictures: QuestionPictures
) -> Injection | Rejection:
    context = InjectionContext(
        stream=stream(shard.seed, sample.id, shard.subtype),
        read_pixels=pictures.read_pixels,
        degradation=shard.degradation,
        missing_instruction=shard.missing_instruction,
        donor=donor,
    )
    return INJECTORS[shard.subtype].apply(sample, context)


def _filter(
    candidate: FlawedSample, parent: Sample, pictures: QuestionPictures, degradation: DegradationRecipe
) -> list[Row]:
    return decision_rows(check(candidate, parent, pictures.read_pixels, degradation))


def _injection_facts(shard: InjectionShard) -> PartFacts:
    settings = shard.model_dump(mode="json", include={"degradation", "missing_instruction", "weights"})
    return PartFacts(
        shard.key, Stage.INJECT, settings, shard.subtype, injector_version=shard.injector_version, seed=shard.seed
    )


def _filter_facts(shard: FilterShard) -> PartFacts:
    parameters = {"filter": shard.filter_version, "injection": shard.injection.key}
    return PartFacts(shard.key, Stage.FILTER, parameters, shard.injection.subtype, seed=shard.injection.seed)


@contextmanager
def new_part(facts: PartFacts, place: WorkPlace) -> Generator[list[Row], None, None]:
    """The rows put into the list become the part; none is written when the block raises."""
    started, clock, rows = datetime.now(UTC), time.monotonic(), list[Row]()
    yield rows
    info = PartInfo(
        key=facts.key,
        stage=facts.stage,
        subtype=facts.subtype,
        source=facts.source,
        injector_version=facts.injector_version,
        seed=facts.seed,
        parameters=canonical_json(facts.parameters),
        run_id=place.run_id,
        code_commit=place.code_commit,
        started=started,
        seconds=time.monotonic() - clock,
    )
    _parts(place.objects_url).write(info, rows)


def _read_decision(item: SourceItem | Quarantined, shard: SourceShard) -> Decision:
    decided_by = f"{shard.recipe.reader}@{shard.reader_version}"
    if isinstance(item, SourceItem):
        row = source_row_id(item.sample.source, item.sample.source_id)
        return Decision(stage=Stage.READ, item=row, output=item.sample.id, keep=True, decided_by=decided_by)
    return Decision(
        stage=Stage.READ,
        item=source_row_id(item.source, item.source_id),
        keep=False,
        reason=item.reason,
        evidence=item.detail,
        decided_by=decided_by,
    )


@lru_cache(maxsize=4)
def _objects(url: str) -> ObjectStore:
    return ObjectStore(url)


@lru_cache(maxsize=4)
def _parts(url: str) -> PartStore:
    return PartStore(url)


@lru_cache(maxsize=2)
def read_pool(url: str, name: PartName) -> dict[str, Sample]:
    """By id. Raises StorageError."""
    return {sample.id: sample for sample in samples_in(_parts(url).read(name.stage, name.key))}
