"""One event loop for the threads of synchronous tasks."""

import asyncio
import signal
import subprocess
import sys
import textwrap
import threading
import time
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
    ended = threading.Event()

    async def wait() -> None:
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
    time.sleep(0.1)
    loop.close()
    loop.close()
    waiter.join(5)
    assert ended.is_set()
    assert not waiter.is_alive()


STUBBORN = """
    import asyncio, time
    from models.loop import LoopThread

    async def never_ends():
        print("running", flush=True)
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                pass

    with LoopThread() as loop:
        loop.run(never_ends())
"""


def test_a_second_interrupt_ends_the_process_at_once() -> None:
    """Whatever the coroutines do."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(STUBBORN)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.wait(2) != 0
        finally:
            process.kill()  # else a process that an interrupt does not end would be waited for without end
