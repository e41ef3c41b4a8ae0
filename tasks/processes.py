"""The processes that do CPU work: one per core, with one thread each in OpenCV and torch, started when first needed and
gone when the run ends, however it ends."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from typing import ParamSpec, TypeVar

from core.errors import OrchestrationError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_ORPHAN_CHECK_SECONDS = 1.0
_WORK = (
    "tasks.shards"  # imported while sources are read: one process reads, the others would import at their first shard
)


class CpuProcesses:
    """A pool that tasks of one run share; `call` runs a function of a module there and waits for its result."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None

    def call(self, function: Callable[Arguments, Result], *args: Arguments.args, **named: Arguments.kwargs) -> Result:
        """Raises whatever the function raises, and OrchestrationError when its process was killed."""
        try:
            return self._started().submit(function, *args, **named).result()
        except BrokenProcessPool as error:
            raise OrchestrationError(
                f"A worker process ended while it ran {function.__name__}: killed, or out of memory.",
                "Run the same command again: finished shards are kept. Lower FLAWBENCH_WORKERS if memory is short.",
            ) from error

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._executor is None:
                with _hang_up_blocked():
                    self._executor = self._start()
            return self._executor

    def _start(self) -> ProcessPoolExecutor:
        """All processes at once: while the sources are read, most cores are idle."""
        executor = ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_prepare,
            initargs=(os.getpid(),),
        )
        for _ in range(self._workers):
            executor.submit(os.getpid)
        return executor


@contextmanager
def cpu_processes(workers: int) -> Generator[CpuProcesses, None, None]:
    processes = CpuProcesses(workers)
    try:
        yield processes
    finally:
        processes.close()


def end_with_parent(parent: int, stop_seconds: float = 0.0) -> None:
    """From now on this process ends within seconds of its parent: one that was killed cannot end its children.
    `stop_seconds`: how long it may take to end by itself, after a SIGTERM; 0 ends it at once."""
    threading.Thread(target=_watch_parent, args=(parent, stop_seconds), daemon=True).start()


@contextmanager
def _hang_up_blocked() -> Generator[None, None, None]:
    """What is started inside outlives its terminal, as long as its parent, which may still store what is on its way."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits for this one
    for name in _THREAD_VARIABLES:
        os.environ[name] = "1"
    import cv2

    cv2.setNumThreads(1)
    import_module(_WORK)
    end_with_parent(parent)


def _watch_parent(parent: int, stop_seconds: float) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_CHECK_SECONDS)
    if stop_seconds:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(stop_seconds)
    os._exit(1)
