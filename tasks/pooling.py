"""Stored samples to the pool of a build: near-duplicates out, strata filled, both with a decision for each sample."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE
from sources.duplicates import find_duplicates
from sources.sampling import Shortfall, choose

from core.errors import ConfigurationError
from core.identity import canonical_json, content_hash
from core.recipe import Recipe
from core.records import Decision, Sample, Stage
from storage.parts import PartInfo, Row
from storage.rows import decision_rows, perceptual_hashes_in, sample_rows, samples_in
from tasks.runs import Run
from tasks.specs import CHOICE_VERSION, SourceShard


class Pool(NamedTuple):
    """`hashes` are the perceptual hashes of the pictures by sha256, `shortfalls` what the strata lack."""

    key: str
    samples: tuple[Sample, ...]
    hashes: Mapping[str, int]
    shortfalls: tuple[Shortfall, ...]


@task(name="choose-samples", cache_policy=NO_CACHE)
def choose_samples(shards: Sequence[SourceShard], limit: int | None, run: Run) -> Pool:
    """Raises ConfigurationError when the recipe asks for more than there is."""
    parts = [run.parts.read(Stage.READ, shard.key) for shard in shards]
    hashes = {sha: value for part in parts for sha, value in perceptual_hashes_in(part).items()}
    samples = {sample.id: sample for part in parts for sample in samples_in(part)}
    started, clock = datetime.now(UTC), time.monotonic()
    duplicates = find_duplicates(list(samples.values()), hashes)
    unique = [sample for sample in samples.values() if sample.id not in duplicates]
    outcome = choose(unique, _capped(run.recipe, limit, len(unique)).sampling, run.recipe.seed)
    chosen = [samples[sample_id] for sample_id in outcome.chosen]
    decisions = _decisions(samples, duplicates, set(outcome.chosen))
    key = content_hash({"stage": Stage.SAMPLE, "decisions": [decision.id for decision in decisions]})
    if not run.parts.exists(Stage.SAMPLE, key):
        rows = [row for sample in chosen for row in _sample_rows(sample, hashes)]
        rows += [row for decision in decisions for row in decision_rows(decision)]
        run.parts.write(_info(key, run, started, time.monotonic() - clock), rows)
    run.ingest_stored(Stage.SAMPLE, [key])
    return Pool(key, tuple(chosen), hashes, outcome.shortfalls)


def _capped(recipe: Recipe, limit: int | None, available: int) -> Recipe:
    total = recipe.sampling.total
    if limit is not None:
        total = min(limit, available, total or limit)
    if (total or 0) > available or not available:
        raise ConfigurationError(
            f"Recipe {recipe.name} asks for {total or 'some'} questions but its sources give {available} usable ones.",
            "Lower `sampling.total`, add a source, or see `flawbench quarantine` for the rows that were set aside.",
        )
    short = {name: count for name, count in recipe.targets.items() if count > (total or available)}
    if short and limit is None:
        name, count = next(iter(sorted(short.items())))
        raise ConfigurationError(
            f"Recipe {recipe.name} asks for {count} {name} candidates but takes only {total or available} questions, "
            "and a question gives one candidate of a subtype at most.",
            f"Lower `targets.{name}`, take more questions, or give a limit, which targets shrink to.",
        )
    return recipe.model_copy(update={"sampling": recipe.sampling.model_copy(update={"total": total})})


def _decisions(samples: Mapping[str, Sample], duplicates: Mapping[str, str], chosen: set[str]) -> list[Decision]:
    return [_decision(sample_id, duplicates.get(sample_id), sample_id in chosen) for sample_id in sorted(samples)]


def _decision(sample_id: str, original: str | None, chosen: bool) -> Decision:
    reason = "duplicate" if original else None if chosen else "not_selected"
    return Decision(
        stage=Stage.SAMPLE,
        item=sample_id,
        output=sample_id if chosen else None,
        keep=chosen,
        reason=reason,
        evidence=f"same question as {original}" if original else "",
        decided_by=f"choice@{CHOICE_VERSION}",
    )


def _sample_rows(sample: Sample, hashes: Mapping[str, int]) -> list[Row]:
    return sample_rows(sample, [(picture.sha256, hashes[picture.sha256]) for picture in sample.pictures])


def _info(key: str, run: Run, started: datetime, seconds: float) -> PartInfo:
    return PartInfo(
        key=key,
        stage=Stage.SAMPLE,
        seed=run.recipe.seed,
        parameters=canonical_json(run.recipe.sampling.model_dump(mode="json")),
        run_id=run.place.run_id,
        code_commit=run.place.code_commit,
        started=started,
        seconds=seconds,
    )
