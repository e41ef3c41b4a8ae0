"""Samples to candidates and decisions: one task a shard of one injector and of the programmatic filters, since each
task run costs the server as much as some candidates."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.records import FlawedSample
from filters.integrity import DECIDED_BY
from storage.rows import candidates_in, decisions_in
from tasks.fan_out import Done
from tasks.runs import Run
from tasks.shards import make_candidates
from tasks.specs import FilterShard, InjectionShard


@task(name="inject-and-filter", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def inject_and_filter(shard: FilterShard, run: Run) -> None:
    run.processes.call(make_candidates, shard, run.place)


def filter_shard_of(injection: InjectionShard) -> FilterShard:
    return FilterShard(injection=injection, filter_version=DECIDED_BY)


def kept_candidates(done: Done[FilterShard]) -> list[FlawedSample]:
    """In the order of the injection shard."""
    injected, filtered = done.parts
    kept = {decision.item for decision in decisions_in(filtered) if decision.keep}
    return [candidate for candidate in candidates_in(injected) if candidate.id in kept]
