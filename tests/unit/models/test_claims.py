"""Several processes over one store: what one asks for, the others wait for."""

import asyncio
import json
import socket
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

from models.claims import FOLDER, Claims
from models.disk import Disk
from storage.files import Files

Scenario = Callable[[Path], Coroutine[Any, Any, None]]

GONE = 2**22 + 1
"""Above the highest number of a process."""


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def over(folder: Path, disk: Disk) -> Claims:
    return Claims(Files(str(folder)), disk)


def write(folder: Path, name: str, process: int, keys: list[str], host: str = "", beat: int = 1) -> None:
    (folder / FOLDER).mkdir(exist_ok=True)
    claim = {"host": host or socket.gethostname(), "process": process, "beat": beat, "keys": keys, "closed": False}
    (folder / FOLDER / name).write_text(json.dumps(claim))


def test_a_process_alone_gets_all_and_waits_for_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        disk = Disk()
        claims = over(tmp_path, disk)
        assert all([await claims.take(key) for key in "abc"])
        assert (claims.shared, claims.met) == (False, 0)
        await claims.close()
        disk.close()

    run(asyncio.wait_for(work(), 0.9))


def test_what_a_killed_process_left_holds_nothing_up(tmp_path: Path) -> None:
    write(tmp_path, "dead.json", GONE, ["a"])
    (tmp_path / FOLDER / "broken.json").write_text("{")

    async def work() -> None:
        disk = Disk()
        claims = over(tmp_path, disk)
        assert await claims.take("a")
        assert claims.met == 2
        await claims.close()
        disk.close()

    run(asyncio.wait_for(work(), 0.9))


async def what_another_has_under_way_is_not_taken_until_it_is_released(folder: Path) -> None:
    disk = Disk()
    one, other = over(folder, disk), over(folder, disk)
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


async def of_two_that_want_the_same_at_once_never_both_get_it(folder: Path) -> None:
    disk = Disk()
    one, other = over(folder, disk), over(folder, disk)
    await asyncio.gather(one.take("first"), other.take("last"))
    for number in range(10):
        taken = await asyncio.gather(one.take(f"k{number}"), other.take(f"k{number}"))
        assert sum(taken) <= 1
    await one.close()
    await other.close()
    disk.close()


async def a_process_of_another_host_is_waited_for_until_it_says_what_it_has_under_way(folder: Path) -> None:
    write(folder, "far.json", 1, [], host="another-host")

    async def answer() -> None:
        """Late, as a process does that many others keep from its work."""
        await asyncio.sleep(1.3)
        write(folder, "far.json", 1, ["a"], host="another-host", beat=2)

    disk = Disk()
    claims = over(folder, disk)
    taken, _ = await asyncio.gather(claims.take("a"), answer())
    assert not taken
    assert await claims.take("b")
    await claims.close()
    disk.close()


async def a_store_that_fails_for_a_while_ends_neither_the_watch_nor_the_run(folder: Path) -> None:
    def break_store() -> None:
        (folder / FOLDER).rename(folder / "away")
        (folder / FOLDER).write_bytes(b"")

    disk = Disk()
    one, other = over(folder, disk), over(folder, disk)
    assert await one.take("a")
    break_store()
    await asyncio.sleep(0.7)
    (folder / FOLDER).unlink()
    (folder / "away").rename(folder / FOLDER)
    assert not await other.take("a")
    break_store()
    await one.close()
    await other.close()
    disk.close()


SCENARIOS = (
    what_another_has_under_way_is_not_taken_until_it_is_released,
    of_two_that_want_the_same_at_once_never_both_get_it,
    a_process_of_another_host_is_waited_for_until_it_says_what_it_has_under_way,
    a_store_that_fails_for_a_while_ends_neither_the_watch_nor_the_run,
)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Scenario, BaseException | None]:
    """How they ended, each over a store of its own. They wait for seconds, so they do it at once."""

    async def work() -> list[BaseException | None]:
        runs = [asyncio.wait_for(one(tmp_path_factory.mktemp("store")), 20) for one in SCENARIOS]
        return await asyncio.gather(*runs, return_exceptions=True)

    return dict(zip(SCENARIOS, asyncio.run(work()), strict=True))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.__name__)
def test_what_takes_seconds(scenario: Scenario, ended: Mapping[Scenario, BaseException | None]) -> None:
    error = ended[scenario]
    if error:
        raise error
