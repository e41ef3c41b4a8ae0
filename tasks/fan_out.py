"""Shards to tasks and back: what is there already is not asked for again, and what is done is ingested by this process,
the only one that writes the lineage, while the rest still runs."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

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


class Step(NamedTuple):
    """A task, and the shards it is to run on."""

    task: Task[..., str]
    stage: Stage
    shards: Sequence[Shard]


def run_steps(steps: Sequence[Step], run: Run) -> None:
    """Each step on all of its shards; the n-th shard of a step waits for the n-th of the step before, and for no other.

    Returns when every shard has its part in the store and in the lineage. Raises what the first failed task raised."""
    submitted: dict[int, PrefectFuture[str]] = {}
    stages: dict[PrefectFuture[str], Stage] = {}
    for step in steps:
        done = run.parts.keys(step.stage) if step.shards else set[str]()
        run.ingest_stored(step.stage, [shard.key for shard in step.shards if shard.key in done])
        missing = [(place, shard) for place, shard in enumerate(step.shards) if shard.key not in done]
        if missing:
            run.progress.expect(step.stage, len(missing))
        for place, shard in missing:
            before = [submitted[place]] if place in submitted else None
            submitted[place] = step.task.submit(shard, run, wait_for=before)
            stages[submitted[place]] = step.stage
    _collect(stages, run)


def _collect(stages: Mapping[PrefectFuture[str], Stage], run: Run) -> None:
    waiting: list[Part] = []
    last = time.monotonic()
    for future in as_completed(list(stages)):
        waiting.append(run.parts.read(stages[future], future.result()))
        run.progress.advance(stages[future], 1)
        if time.monotonic() - last >= _INGEST_SECONDS:
            run.ingest(waiting)
            waiting, last = [], time.monotonic()
    run.ingest(waiting)
