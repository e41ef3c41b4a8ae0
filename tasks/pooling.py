"""Stored samples to the pool of a build: near-duplicates out, strata filled, both with a decision for each sample."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.counting import counted
from core.errors import ConfigurationError
from core.identity import content_hash
from core.recipe import Recipe, SamplingRecipe
from core.records import Decision, Record, Sample, Stage
from sources.sampling import Shortfall, choose
from storage.parts import Part, Row
from storage.rows import decision_rows, decisions_in, perceptual_hashes_in, sample_rows, samples_in
from tasks.fan_out import Done
from tasks.pools import NOTHING, Pool, Standing
from tasks.runs import Run
from tasks.shards import PartFacts, new_part
from tasks.specs import CHOICE_VERSION, PartName, SourceShard


class Choice(NamedTuple):
    """`part` holds the pool and the decision on every sample; `shortfalls` is what the strata lack, in words."""

    pool: Pool
    part: Part
    shortfalls: tuple[str, ...]


@task(name="choose-samples", cache_policy=NO_CACHE)
def choose_samples(
    sources: Sequence[Done[SourceShard]], limit: int | None, run: Run, standing: Standing = NOTHING
) -> Choice:
    """Chosen once for the same sources, sampling, seed and limit, and the same questions of other sources `standing` in
    the build. Raises ConfigurationError when the recipe asks for more than there is."""
    read = [part for source in sources for part in source.parts]
    others = _of_other_sources(standing, read)
    key = _pool_key([source.shard for source in sources], limit, run.recipe, others)
    if not run.parts.exists(Stage.SAMPLE, key):
        _write_pool(key, read, limit, others, run)
    part = run.parts.read(Stage.SAMPLE, key)
    run.ingest([part])
    notes = PoolNotes.model_validate_json(part.info.parameters)
    samples = {sample.id: sample for sample in samples_in(part)}
    _require_enough(run.recipe, limit, len(samples), [*read, part])
    pool = Pool(PartName(Stage.SAMPLE, key), tuple(samples.values()), perceptual_hashes_in(part))
    return Choice(pool, part, notes.shortfalls)


class PoolNotes(Record):
    """What is stored with a pool beside its samples."""

    sampling: SamplingRecipe
    limit: int | None
    shortfalls: tuple[str, ...]


def _of_other_sources(standing: Standing, parts: Sequence[Part]) -> Standing:
    if not standing.samples:
        return standing
    own = {row.id for part in parts for row in part.rows("samples")}
    return standing._replace(samples=[sample for sample in standing.samples if sample.id not in own])


def _pool_key(shards: Sequence[SourceShard], limit: int | None, recipe: Recipe, others: Standing) -> str:
    sources = [shard.key for shard in shards]
    stand = [sorted(sample.id for sample in others.samples)] if others.samples else []
    return content_hash([Stage.SAMPLE, CHOICE_VERSION, sources, recipe.sampling, recipe.seed, limit, *stand])


def _write_pool(key: str, parts: Sequence[Part], limit: int | None, others: Standing, run: Run) -> None:
    from sources.duplicates import find_duplicates  # loads SciPy, and most runs find their pool chosen

    hashes = {sha: value for part in parts for sha, value in perceptual_hashes_in(part).items()}
    samples = {sample.id: sample for part in parts for sample in samples_in(part)}
    duplicates = find_duplicates(samples.values(), {**others.hashes, **hashes}, others.samples)
    unique = [sample for sample in samples.values() if sample.id not in duplicates]
    set_aside = _set_aside(parts)
    set_aside.update("duplicate" for _ in duplicates)
    outcome = choose(unique, _capped(run.recipe, limit, len(unique), set_aside), run.recipe.seed)
    stated = {axis for axis in ("subjects", "sources", "pictures") if getattr(run.recipe.sampling, axis)}
    shortfalls = tuple(_words(shortfall) for shortfall in outcome.shortfalls if shortfall.axis in stated)
    notes = PoolNotes(sampling=run.recipe.sampling, limit=limit, shortfalls=shortfalls)
    with new_part(PartFacts(key, Stage.SAMPLE, notes, seed=run.recipe.seed), run.place) as rows:
        for sample_id in outcome.chosen:
            rows += _sample_rows(samples[sample_id], hashes)
        for decision in _decisions(samples, duplicates, set(outcome.chosen)):
            rows += decision_rows(decision)


def _words(shortfall: Shortfall) -> str:
    return f"{shortfall.axis} {shortfall.value}: {shortfall.got} of {shortfall.wanted} ({shortfall.reason})"


def _set_aside(parts: Sequence[Part]) -> Counter[str | None]:
    return Counter(decision.reason for part in parts for decision in decisions_in(part) if not decision.keep)


def _name_counts(set_aside: Mapping[str | None, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(set_aside.items(), key=str)) or "none"


def _capped(recipe: Recipe, limit: int | None, available: int, set_aside: Mapping[str | None, int]) -> SamplingRecipe:
    """A limit is what is taken at most; a total is what there must be."""
    total = recipe.sampling.total
    if limit is not None:
        total = min(limit, available, total or limit)
    if (total or 0) > available or not available:
        raise ConfigurationError(
            f"Recipe {recipe.name} asks for {total or 'all'} questions but its sources give {available} usable ones"
            f" (rows set aside: {_name_counts(set_aside)}).",
            f"{'Lower `sampling.total`' if total else 'Correct `sources`'}, or add a source.",
        )
    return recipe.sampling.model_copy(update={"total": total})


def _require_enough(recipe: Recipe, limit: int | None, questions: int, parts: Sequence[Part]) -> None:
    short = sorted(name for name, count in recipe.targets.items() if count > questions)
    if short and limit is None:
        aside = _name_counts(_set_aside(parts))
        raise ConfigurationError(
            f"Recipe {recipe.name} asks for {recipe.targets[short[0]]} {short[0]} candidates but takes only "
            f"{counted(questions, 'question')} (rows set aside: {aside}), and a question gives one candidate of a "
            "subtype at most.",
            f"Lower `targets.{short[0]}`, take more questions, or give a limit, which targets shrink to.",
        )


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
