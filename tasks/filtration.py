"""Candidates to decisions: one task a shard through the programmatic filters."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.records import FlawedSample, Stage
from filters.integrity import DECIDED_BY
from storage.rows import candidates_in, decisions_in
from tasks.runs import Run
from tasks.shards import filter_shard
from tasks.specs import FilterShard, InjectionShard


@task(name="filter", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def filter_candidates(shard: FilterShard, run: Run) -> str:
    run.processes.call(filter_shard, shard, run.place)
    return shard.key


def filter_shard_of(injection: InjectionShard) -> FilterShard:
    return FilterShard(injection=injection, filter_version=DECIDED_BY)


def kept_candidates(shard: FilterShard, run: Run) -> list[FlawedSample]:
    """In the order of the injection shard."""
    decisions = decisions_in(run.parts.read(Stage.FILTER, shard.key))
    kept = {decision.item for decision in decisions if decision.keep}
    candidates = candidates_in(run.parts.read(Stage.INJECT, shard.injection.key))
    return [candidate for candidate in candidates if candidate.id in kept]
