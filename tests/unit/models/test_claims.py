"""Several processes over one store: what one asks for, the others wait for."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from models.claims import FOLDER, Claims
from models.disk import Disk
from storage.files import Files

GONE = 2**22 + 1
"""Above the highest number of a process."""


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.fixture
def over(tmp_path: Path) -> Callable[[Disk], Claims]:
    return lambda disk: Claims(Files(str(tmp_path)), disk)


def write(folder: Path, name: str, process: int, keys: list[str], host: str = "", beat: int = 1) -> None:
    (folder / FOLDER).mkdir(exist_ok=True)
    claim = {"host": host or socket.gethostname(), "process": process, "beat": beat, "keys": keys, "closed": False}
    (folder / FOLDER / name).write_text(json.dumps(claim))


def test_a_process_alone_gets_all_and_waits_for_nothing(over: Callable[[Disk], Claims]) -> None:
    async def work() -> None:
        disk = Disk()
        claims = over(disk)
        assert all([await claims.take(key) for key in "abc"])
        assert (claims.shared, claims.met) == (False, 0)
        await claims.close()
        disk.close()

    run(asyncio.wait_for(work(), 0.9))


def test_what_another_has_under_way_is_not_taken_until_it_is_released(over: Callable[[Disk], Claims]) -> None:
    async def work() -> None:
        disk = Disk()
        one, other = over(disk), over(disk)
        assert await one.take("a")
        assert not await other.take("a")
        assert await other.take("b")
        assert not await one.take("b")
        one.release("a")
        while await other.wait_elsewhere("a"):
            pass
        assert await other.take("a")
        await one.close()
        await other.close()
        disk.close()

    run(asyncio.wait_for(work(), 20))


def test_of_two_that_want_the_same_at_once_never_both_get_it(over: Callable[[Disk], Claims]) -> None:
    async def work() -> None:
        disk = Disk()
        one, other = over(disk), over(disk)
        await asyncio.gather(one.take("first"), other.take("last"))
        for number in range(10):
            taken = await asyncio.gather(one.take(f"k{number}"), other.take(f"k{number}"))
            assert sum(taken) <= 1
        await one.close()
        await other.close()
        disk.close()

    run(asyncio.wait_for(work(), 20))


def test_what_a_killed_process_left_holds_nothing_up(over: Callable[[Disk], Claims], tmp_path: Path) -> None:
    write(tmp_path, "dead.json", GONE, ["a"])
    (tmp_path / FOLDER / "broken.json").write_text("{")

    async def work() -> None:
        disk = Disk()
        claims = over(disk)
        assert await claims.take("a")
        assert claims.met == 2
        await claims.close()
        disk.close()

    run(asyncio.wait_for(work(), 0.9))


def test_a_process_of_another_host_is_waited_for_until_it_says_what_it_has_under_way(
    over: Callable[[Disk], Claims], tmp_path: Path
) -> None:
    write(tmp_path, "far.json", 1, [], host="another-host")

    async def answer() -> None:
        """Late, as a process does that many others keep from its work."""
        await asyncio.sleep(1.3)
        write(tmp_path, "far.json", 1, ["a"], host="another-host", beat=2)

    async def work() -> None:
        disk = Disk()
        claims = over(disk)
        taken, _ = await asyncio.gather(claims.take("a"), answer())
        assert not taken
        assert await claims.take("b")
        await claims.close()
        disk.close()

    run(asyncio.wait_for(work(), 10))


def test_a_store_that_fails_for_a_while_ends_neither_the_watch_nor_the_run(
    over: Callable[[Disk], Claims], tmp_path: Path
) -> None:
    def break_store() -> None:
        (tmp_path / FOLDER).rename(tmp_path / "away")
        (tmp_path / FOLDER).write_bytes(b"")

    async def work() -> None:
        disk = Disk()
        one, other = over(disk), over(disk)
        assert await one.take("a")
        break_store()
        await asyncio.sleep(0.7)
        (tmp_path / FOLDER).unlink()
        (tmp_path / "away").rename(tmp_path / FOLDER)
        assert not await other.take("a")
        break_store()
        await one.close()
        await other.close()
        disk.close()

    run(asyncio.wait_for(work(), 10))
