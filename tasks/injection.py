"""Samples to candidates: one task a shard of one injector."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.runs import Run
from tasks.shards import inject_shard
from tasks.specs import InjectionShard


@task(name="inject", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def inject(shard: InjectionShard, run: Run) -> str:
    run.processes.call(inject_shard, shard, run.place)
    return shard.key
