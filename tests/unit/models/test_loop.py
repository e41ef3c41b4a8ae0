"""One event loop for the threads of synchronous tasks."""

import asyncio
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from models.loop import LoopThread


async def thread_name() -> str:
    return threading.current_thread().name


def test_coroutines_of_all_threads_run_in_one_loop() -> None:
    with LoopThread() as loop, ThreadPoolExecutor(4) as threads:
        names = set(threads.map(lambda _: loop.run(thread_name()), range(20)))
    assert names == {"model-calls"}


def test_an_error_is_raised_in_the_thread_that_waits() -> None:
    async def fail() -> None:
        raise ValueError("wrong")

    with LoopThread() as loop, pytest.raises(ValueError, match="wrong"):
        loop.run(fail())


def test_closing_cancels_what_runs_and_can_be_done_twice() -> None:
    started, ended = threading.Event(), threading.Event()

    async def wait() -> None:
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    loop = LoopThread()

    def ask() -> None:
        with pytest.raises(CancelledError):
            loop.run(wait())

    waiter = threading.Thread(target=ask)
    waiter.start()
    assert started.wait(5)
    loop.close()
    loop.close()
    waiter.join(5)
    assert ended.is_set()
    assert not waiter.is_alive()
