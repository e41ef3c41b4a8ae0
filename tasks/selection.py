"""What a build consists of: the decision on every candidate that passed, and the membership of everything in the
build."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.identity import content_hash
from core.records import Decision, Stage
from core.taxonomy import Subtype
from storage.membership import ItemKind, Member
from storage.rows import decision_ids_in, decision_rows
from tasks.filtration import filter_shard_of
from tasks.planning import InjectionPlan
from tasks.pooling import Pool
from tasks.runs import Run
from tasks.shards import PartFacts, new_part
from tasks.specs import SourceShard


@task(name="select", cache_policy=NO_CACHE)
def select_candidates(plan: InjectionPlan, run: Run) -> list[Decision]:
    decisions = plan.decide()
    key = content_hash([Stage.SELECT, [decision.id for decision in decisions]])
    if not run.parts.exists(Stage.SELECT, key):
        with new_part(PartFacts(key, Stage.SELECT, {}, seed=run.recipe.seed), run.place) as rows:
            for decision in decisions:
                rows += decision_rows(decision)
    run.ingest_stored(Stage.SELECT, [key])
    return decisions


@task(name="record-build", cache_policy=NO_CACHE)
def record_build(
    sources: Sequence[SourceShard],
    pool: Pool,
    plan: InjectionPlan,
    selected: Sequence[Decision],
    *,
    replace: bool,
    run: Run,
) -> None:
    """`replace`: the build consists of this run alone; otherwise this run is added to it."""
    decided = [*_decided(sources, pool, plan, run), *((decision.id, decision.subtype) for decision in selected)]
    kept = [decision for decision in selected if decision.keep]
    members = {
        ItemKind.DECISION: decided,
        ItemKind.SAMPLE: [(sample.id, None) for sample in pool.samples],
        ItemKind.CANDIDATE: [(decision.item, decision.subtype) for decision in kept],
    }
    for kind, items in members.items():
        first = 0 if replace else len(run.lineage.members(run.build, kind))
        ranked = [Member(item, subtype, first + rank) for rank, (item, subtype) in enumerate(items)]
        run.lineage.set_members(run.build, kind, ranked, replace=replace)


def _decided(
    sources: Sequence[SourceShard], pool: Pool, plan: InjectionPlan, run: Run
) -> list[tuple[str, Subtype | None]]:
    """The ids of all decisions before the selection, from the parts of this run."""
    parts = [(Stage.READ, shard.key) for shard in sources] + [(Stage.SAMPLE, pool.key)]
    for shard in plan.done():
        parts += [(Stage.INJECT, shard.key), (Stage.FILTER, filter_shard_of(shard).key)]
    read = (run.parts.read(stage, key) for stage, key in parts)
    return [(decision, part.info.subtype) for part in read for decision in decision_ids_in(part)]
