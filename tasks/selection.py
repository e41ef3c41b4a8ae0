"""What a build consists of: the decision on every candidate that passed, and the membership of everything in the
build."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ConfigurationError
from core.identity import content_hash
from core.records import Decision, Sample, Stage
from core.taxonomy import AnySubtype
from storage.membership import ItemKind
from storage.parts import Part
from storage.rows import decision_ids_in, decision_rows
from tasks.losses import describe_losses
from tasks.members import Items, set_members
from tasks.outcomes import count_decisions, log_outcome
from tasks.planning import InjectionPlan
from tasks.replacing import tell_leaving
from tasks.runs import Run
from tasks.shards import PartFacts, new_part
from tasks.specs import PartName


@task(name="select", cache_policy=NO_CACHE)
def select_candidates(plan: InjectionPlan, run: Run) -> Sequence[Decision]:
    return store_decisions(plan.decide(), run)


def store_decisions(decisions: Sequence[Decision], run: Run) -> Sequence[Decision]:
    """As a part of the stage SELECT, stored once and in the lineage afterwards."""
    key = content_hash([Stage.SELECT, [decision.id for decision in decisions]])
    if not run.parts.exists(Stage.SELECT, key):
        with new_part(PartFacts(key, Stage.SELECT, {}, seed=run.recipe.seed), run.place) as rows:
            for decision in decisions:
                rows += decision_rows(decision)
    run.ingest_stored([PartName(Stage.SELECT, key)])
    log_outcome(f"build={run.build}", count_decisions(decisions))
    return decisions


@task(name="record-build", cache_policy=NO_CACHE)
def record_build(
    parts: Sequence[Part], pool: Sequence[Sample], selected: Sequence[Decision], *, replace: bool, run: Run
) -> None:
    """`parts` are those of this run up to the selection. `replace`: the build consists of this run alone; otherwise
    this run is added to it. Raises ConfigurationError when nothing was kept, and when people would lose rows that they
    were given; a build that had something stays."""
    empty = not any(decision.keep for decision in selected)
    if replace and empty:
        _keep_standing(parts, selected, run)
    kept = [(decision.item, decision.subtype) for decision in selected if decision.keep]
    if replace:
        tell_leaving(run, ItemKind.CANDIDATE, [item for item, _ in kept])
    decided = [(decision, part.info.subtype) for part in in_order(parts) for decision in decision_ids_in(part)]
    members: Items = {
        ItemKind.RECIPE: [(run.recipe.id, None)] if _adds_some(kept, replace, run) else [],
        ItemKind.DECISION: [*decided, *((decision.id, decision.subtype) for decision in selected)],
        ItemKind.SAMPLE: [(sample.id, None) for sample in pool],
        ItemKind.CANDIDATE: kept,
    }
    set_members(members, run, replace=replace)
    if not replace:
        run.lineage.remove_overruled(run.build)
    if empty:
        raise ConfigurationError(
            f"This run kept no candidate for build {run.build}. {describe_losses(parts, selected, run)}",
            f"See every reason with `flawbench funnel {run.build}`, then change the recipe or the models.",
        )


def in_order(parts: Sequence[Part]) -> list[Part]:
    """By what they hold, not by which was done first."""
    return sorted(parts, key=lambda part: (part.info.stage, part.info.key))


def _adds_some(kept: Sequence[tuple[str, AnySubtype | None]], replace: bool, run: Run) -> bool:
    """Whether rows of this run's recipe are in the build because of this run: a recipe is named for its rows."""
    before = () if replace else run.lineage.members(run.build, ItemKind.CANDIDATE)
    return bool({item for item, _ in kept} - {member.item_id for member in before})


def _keep_standing(parts: Sequence[Part], selected: Sequence[Decision], run: Run) -> None:
    before = run.lineage.members(run.build, ItemKind.CANDIDATE)
    if before:
        raise ConfigurationError(
            f"This run kept no candidate; build {run.build} stays as it was, with {len(before)} candidates. "
            f"{describe_losses(parts, selected, run)}",
            "Give the recipe another `name` to see its whole funnel, or ask for more questions.",
        )


@contextmanager
def progress_recorded(parts: Sequence[Part], pool: Sequence[Sample], run: Run) -> Generator[None, None, None]:
    """When the block cannot be finished, what it came to stands in the funnel, unless a finished build has the name."""
    finished = False
    try:
        yield
        finished = True
    finally:
        if not finished:
            _record_progress(parts, pool, run)


def _record_progress(parts: Sequence[Part], pool: Sequence[Sample], run: Run) -> None:
    run.ingest(parts)
    if any(run.lineage.members(run.build, kind) for kind in (ItemKind.CANDIDATE, ItemKind.QUESTION)):
        return
    decided = [(decision, part.info.subtype) for part in in_order(parts) for decision in decision_ids_in(part)]
    items = {ItemKind.DECISION: decided, ItemKind.SAMPLE: [(sample.id, None) for sample in pool]}
    set_members(items, run, replace=True)
