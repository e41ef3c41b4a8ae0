"""The unmodified questions beside the flawed ones (M-43): what two validators call valid is published as a twin."""

from collections.abc import Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.records import FlawedSample
from tasks.judged_shards import judge_twins
from tasks.model_identity import panel_identity
from tasks.pools import Pool
from tasks.runs import Run
from tasks.specs import TwinShard, cut


@task(name="judge-twins", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def judge_twin_shard(shard: TwinShard, run: Run) -> None:
    judge_twins(shard, run)


def twin_shards(pool: Pool, kept: Sequence[FlawedSample], run: Run) -> list[TwinShard]:
    """Every parent once, in the order of its id; none where there is no panel or no twins are wanted."""
    models = run.recipe.judging
    if models is None or not models.panel.twins:
        return []
    parents = {candidate.parent: candidate.subtype for candidate in reversed(kept)}
    return [
        TwinShard(
            pool=pool.name,
            samples=tuple(part),
            subtypes=tuple(parents[sample] for sample in part),
            identity=panel_identity(models),
            seed=run.recipe.seed,
        )
        for part in cut(sorted(parents))
    ]
