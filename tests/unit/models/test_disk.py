"""Work in threads."""

import asyncio
import threading

import pytest

from models.disk import Disk


def test_results_come_to_those_who_asked_for_them() -> None:
    async def work() -> list[int]:
        disk = Disk()
        results = await asyncio.gather(*(disk.run(lambda number=number: number * 2) for number in range(500)))
        disk.close()
        return results

    assert asyncio.run(work()) == [number * 2 for number in range(500)]


def test_an_error_is_raised_where_the_result_is_awaited_and_harms_no_other() -> None:
    def fail() -> None:
        raise ValueError("this one")

    async def work() -> list[object]:
        disk = Disk()
        results = await asyncio.gather(disk.run(lambda: 1), disk.run(fail), disk.run(lambda: 2), return_exceptions=True)
        disk.close()
        return results

    one, error, two = asyncio.run(work())
    assert (one, two) == (1, 2)
    with pytest.raises(ValueError, match="this one"):
        raise error  # type: ignore[misc]


def test_slow_work_is_done_side_by_side_and_the_loop_goes_on() -> None:
    gate = threading.Event()
    begun: list[int] = []

    def wait(number: int) -> bool:
        begun.append(number)
        return gate.wait(5)

    async def work() -> list[bool]:
        disk = Disk()
        done = asyncio.gather(*(disk.run(lambda number=number: wait(number)) for number in range(20)))
        while len(begun) < 20 and not done.done():
            await asyncio.sleep(0.01)
        gate.set()
        ended = await done
        disk.close()
        return ended

    assert asyncio.run(work()) == [True] * 20


def test_work_is_done_even_when_the_caller_is_cancelled() -> None:
    done: list[str] = []

    async def work() -> None:
        disk = Disk()
        gate = threading.Event()
        tasks = [asyncio.create_task(disk.run(lambda: gate.wait(5))) for _ in range(8)]
        tasks += [asyncio.create_task(disk.run(lambda: done.append("stored")))]
        await asyncio.sleep(0)
        tasks[-1].cancel()
        gate.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        disk.close()

    asyncio.run(work())
    assert done == ["stored"]
