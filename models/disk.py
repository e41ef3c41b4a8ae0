"""Work that waits for files, in threads of its own, so that an event loop never waits for a disk. Threads are started
only when work queues up, and results go back to the loop in bunches: to wake a thread costs more than a small file."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

_THREADS = 8
_QUEUED_A_THREAD = 4

Result = TypeVar("Result")


class _Job(NamedTuple):
    work: Callable[[], Any]
    future: "asyncio.Future[Any]"


class Disk:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="replies")
        self._waiting: deque[_Job] = deque()
        self._done: deque[tuple[_Job, Any, BaseException | None]] = deque()
        self._busy = 0
        self._told = False

    async def run(self, work: Callable[[], Result]) -> Result:
        """Raises what the work raises. The work is done even when the caller is cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append(_Job(work, future))
        self._start(loop)
        return await future

    def close(self) -> None:
        self._threads.shutdown(wait=True)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._busy < _THREADS and len(self._waiting) > self._busy * _QUEUED_A_THREAD:
            self._busy += 1
            self._threads.submit(self._work, loop)

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
        if self._waiting:
            self._start(loop)
