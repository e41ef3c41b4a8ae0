"""Shards to tasks and back: what is there already is not asked for again, and what is done is ingested by this process,
the only one that writes the lineage, while the rest still runs."""

import time
from collections.abc import Sequence
from typing import Any, cast

from prefect import Task
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from core.records import Stage
from storage.parts import Part
from tasks.runs import Run
from tasks.specs import Shard

_TASK_THREADS = 8
_INGEST_SECONDS = 2.0


def task_threads() -> TaskRunner[PrefectFuture[Any]]:
    """Threads that wait for the processes which do the work."""
    runner: object = ThreadPoolTaskRunner(max_workers=_TASK_THREADS)
    return cast("TaskRunner[PrefectFuture[Any]]", runner)  # it is one: its type parameter is invariant


def run_shards(shard_task: Task[..., str], stage: Stage, shards: Sequence[Shard], run: Run) -> None:
    """Returns when every shard has its part in the store and in the lineage. Raises what the first failed task
    raised."""
    done = run.parts.keys(stage) if shards else set[str]()
    run.ingest_stored(stage, [shard.key for shard in shards if shard.key in done])
    missing = [shard for shard in shards if shard.key not in done]
    run.progress.expect(stage, len(missing))
    futures = [shard_task.submit(shard, run) for shard in missing]
    waiting: list[Part] = []
    last = time.monotonic()
    for future in as_completed(futures):
        waiting.append(run.parts.read(stage, future.result()))
        run.progress.advance(stage, 1)
        if time.monotonic() - last >= _INGEST_SECONDS:
            run.ingest(waiting)
            waiting, last = [], time.monotonic()
    run.ingest(waiting)
