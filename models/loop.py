"""An event loop in a thread of its own, so that the threads of synchronous tasks share one caller, its connections and
its pace."""

import asyncio
import gc
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

Result = TypeVar("Result")
_STOP_SECONDS = 5.0
_OBJECTS_BETWEEN_LOOKS = 10_000
"""Thousands of calls that wait are objects that live for long. Looking for unreachable ones among them after every 700
new ones, as Python does by itself, costs a fifth of all CPU time of a call."""


class LoopThread:
    """Use as `with LoopThread() as loop: loop.run(caller.ask(...))`. The thread never keeps a process alive."""

    def __init__(self) -> None:
        self._thresholds = gc.get_threshold()
        gc.set_threshold(max(_OBJECTS_BETWEEN_LOOKS, self._thresholds[0]), *self._thresholds[1:])
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-calls", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Blocks the calling thread. When that is interrupted (Ctrl-C), the coroutine is cancelled."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()  # without effect on what is done

    def close(self) -> None:
        """Cancels what still runs. A thread that does not end in time is left to the end of the process."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop)
        self._thread.join(_STOP_SECONDS)
        gc.set_threshold(*self._thresholds)
        if not self._thread.is_alive():
            self._loop.close()

    def __enter__(self) -> "LoopThread":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def _cancel_all() -> None:
    loop = asyncio.get_running_loop()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.wait(others, timeout=_STOP_SECONDS / 2) if others else None
    await loop.shutdown_asyncgens()
    loop.call_soon(loop.stop)
