"""Samples to candidates that passed the programmatic filters, and those before the panel: one task a shard, since each
task run costs the server as much as some candidates."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.records import FlawedSample, Stage
from filters.integrity import DECIDED_BY
from storage.rows import candidates_in, decisions_in
from tasks.fan_out import Done
from tasks.judged_shards import judge_by_panel
from tasks.prompted_shards import inject_by_models
from tasks.runs import Run
from tasks.shards import make_candidates
from tasks.specs import FilterShard, Injecting, PanelShard, PromptShard


@task(name="make-candidates", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def make_shard(shard: FilterShard, run: Run) -> None:
    """Injection and programmatic filters; what is stored already is not done again."""
    injection = shard.injection
    if isinstance(injection, PromptShard) and not run.parts.exists(Stage.INJECT, injection.key):
        inject_by_models(injection, run)
    run.processes.call(make_candidates, shard, run.place)


@task(name="judge", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def judge_shard(shard: PanelShard, run: Run) -> None:
    judge_by_panel(shard, run)


def filter_shard_of(injection: Injecting) -> FilterShard:
    return FilterShard(injection=injection, filter_version=DECIDED_BY)


def filtered_candidates(done: Done[FilterShard]) -> list[FlawedSample]:
    """Those that the filters kept, in the order of the injection shard."""
    injected, filtered = done.parts
    kept = {decision.item for decision in decisions_in(filtered) if decision.keep}
    return [candidate for candidate in candidates_in(injected) if candidate.id in kept]


def passed_candidates(done: Done[PanelShard]) -> set[str]:
    return {decision.item for decision in decisions_in(done.parts[0]) if decision.keep}
