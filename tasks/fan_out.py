"""Shards to tasks and back: what is there already is not asked for again, and what is done is ingested by this process,
the only one that writes the lineage, while the rest still runs."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, cast

from prefect import Task
from prefect.futures import PrefectFuture, as_completed
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from storage.parts import Part
from tasks.outcomes import Outcome, count_parts, log_outcome
from tasks.runs import Run
from tasks.specs import Shard

_TASK_THREADS = 8
_INGEST_SECONDS = 20.0  # opening the lineage and joining what is new costs as much for few parts as for many

SomeShard = TypeVar("SomeShard", bound=Shard)


class Done(NamedTuple, Generic[SomeShard]):
    """A shard and its parts, in the order of `shard.parts`."""

    shard: SomeShard
    parts: list[Part]


def task_threads() -> TaskRunner[PrefectFuture[Any]]:
    """Threads that wait for the processes which do the work."""
    runner: object = ThreadPoolTaskRunner(max_workers=_TASK_THREADS)
    return cast("TaskRunner[PrefectFuture[Any]]", runner)  # it is one: its type parameter is invariant


def run_shards(task: Task[..., None], what: str, shards: Sequence[SomeShard], run: Run) -> Iterator[Done[SomeShard]]:
    """The task on every shard that is not done yet; `what` names the work to the user. Each shard comes back with its
    parts as soon as it is done, while the others still run; at the end the parts of all are in the lineage.

    Raises what the first failed task raised."""
    stored = run.parts.keys(shards[0].parts[-1].stage) if shards else set[str]()
    found = [_read(shard, run) for shard in shards if shard.key in stored]
    found = [done for done in found if not run.forget_unanswered(done.parts)]
    run.ingest([part for done in found for part in done.parts])
    kept = {done.shard.key for done in found}
    missing = [shard for shard in shards if shard.key not in kept]
    if missing:
        run.progress.expect(what, sum(shard.size for shard in missing))
    submitted = {task.submit(shard, run): shard for shard in missing}
    yield from found
    whole = Outcome()
    yield from _collect(submitted, what, whole, run)
    if shards:
        log_outcome(f"work={what.replace(' ', '_')} shards={len(missing)} stored={len(found)}", whole)


def run_all_shards(task: Task[..., None], what: str, shards: Sequence[SomeShard], run: Run) -> list[Done[SomeShard]]:
    """As `run_shards`, when all are done and in the order of `shards`: which was done first must not show in what is
    made of them."""
    done = {found.shard.key: found for found in run_shards(task, what, shards, run)}
    return [done[shard.key] for shard in shards]


def _collect(
    submitted: Mapping[PrefectFuture[None], SomeShard], what: str, whole: Outcome, run: Run
) -> Iterator[Done[SomeShard]]:
    waiting: list[Part] = []
    last = time.monotonic()
    for future in as_completed(list(submitted)):
        future.result()
        done = _read(submitted[future], run)
        waiting += done.parts
        outcome = count_parts(done.parts)
        log_outcome(f"shard={done.shard.name}", outcome)
        whole.add(outcome)
        run.progress.advance(what, done.shard.size)
        if time.monotonic() - last >= _INGEST_SECONDS:
            run.ingest(waiting)
            waiting, last = [], time.monotonic()
        yield done
    run.ingest(waiting)


def _read(shard: SomeShard, run: Run) -> Done[SomeShard]:
    return Done(shard, [run.parts.read(stage, key) for stage, key in shard.parts])
