"""Work that waits for files, in threads of its own, so that an event loop never waits for a disk. One thread does it
all while it keeps up, since threads that take turns cost more than small files; where the store is slow, others help.
Results go back to the loop in bunches."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

_THREADS = 32
_PATIENCE_SECONDS = 0.02

Result = TypeVar("Result")


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: "asyncio.Future[Any]"
    since: float


class Disk:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="replies")
        self._waiting: deque[_Job] = deque()
        self._done: deque[tuple[_Job, Any, BaseException | None]] = deque()
        self._busy = 0
        self._told = False
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[], Result]) -> Result:
        """Raises what the work raises. The work is done even when the caller is cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append(_Job(work, future, loop.time()))
        if not self._busy:
            self._start(loop, 1)
        if self._timer is None:
            self._timer = loop.call_later(_PATIENCE_SECONDS, self._help, loop)
        return await future

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._threads.shutdown(wait=True)

    def _start(self, loop: asyncio.AbstractEventLoop, count: int) -> None:
        for _ in range(min(count, _THREADS - self._busy)):
            self._busy += 1
            self._threads.submit(self._work, loop)

    def _help(self, loop: asyncio.AbstractEventLoop) -> None:
        """Doubles the threads as long as the first in the queue waits too long."""
        self._timer = None
        try:
            first = self._waiting[0]
        except IndexError:  # a thread took the last
            return
        if loop.time() - first.since >= _PATIENCE_SECONDS:
            self._start(loop, max(1, self._busy))
        self._timer = loop.call_later(_PATIENCE_SECONDS, self._help, loop)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            try:
                job = self._waiting.popleft()
            except IndexError:  # another thread took the last
                break
            self._do(job)
            if not self._told:
                self._told = True
                loop.call_soon_threadsafe(self._deliver)
        loop.call_soon_threadsafe(self._end, loop)

    def _do(self, job: _Job) -> None:
        try:
            self._done.append((job, job.work(), None))
        except BaseException as error:  # noqa: BLE001 (as in concurrent.futures: raised where the result is awaited)
            self._done.append((job, None, error))

    def _deliver(self) -> None:
        self._told = False
        while self._done:
            job, result, error = self._done.popleft()
            if job.future.done():
                continue
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        self._busy -= 1
        self._deliver()
        if self._waiting and not self._busy:
            self._start(loop, 1)
