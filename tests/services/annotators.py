"""People who judge in a browser by keys alone, what they think of each item, and the server that they use."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.async_api import Page, Response

if TYPE_CHECKING:
    from tests.services.conftest import DataFolder

NAMES = ("ada", "ben", "eve@example.org")
CRITERIA = ("type_compliance", "unanswerability")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]
SHOTS = Path(__file__).resolve().parent.parent.parent / "build" / "review"

_KEYS = {
    "type_compliance": {"pass": "1", "fail": "2", "unsure": "3"},
    "unanswerability": {"pass": "4", "fail": "5", "unsure": "6"},
}
_PATIENCE_SECONDS = 60
_EMPTY_PHRASES = ("Consider the following. ", "请看下面的题目。")


class Verdict(NamedTuple):
    """What somebody saw and pressed; a criterion that was not asked is None."""

    annotator: str
    round: int
    item: str
    control: bool
    type_compliance: str | None
    unanswerability: str | None
    presses: int
    shown: Mapping[str, Any]


class Annotator:
    """One person at one screen."""

    def __init__(self, name: str, page: Page, candidates: set[str]) -> None:
        self.name, self.page, self.candidates = name, page, candidates
        self.given: list[Verdict] = []
        self._next: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        page.on("response", self._hear)

    async def log_in(self, url: str, account: Mapping[str, str]) -> None:
        await self.page.goto(f"{url}/user/login/")
        await self.page.fill("input[name=email]", account["login"])
        await self.page.fill("input[name=password]", account["password"])
        await self.page.press("input[name=password]", "Enter")
        await self.page.wait_for_url(lambda address: "/user/login" not in address)

    async def judge(self, link: str, most: int | None = None) -> None:
        """All there is, or the next `most`; from the link on without a mouse."""
        await self.page.goto(link)
        task, done = await self._see_next(), 0
        while done != most and task is not None:
            await self._judge(task)
            task, done = await self._see_next(), done + 1

    async def _see_next(self) -> dict[str, Any] | None:
        return await asyncio.wait_for(self._next.get(), _PATIENCE_SECONDS)

    async def _judge(self, task: dict[str, Any]) -> None:
        data = task["data"]
        await self.page.locator(".lsf-current-task__task-id", has_text=str(task["id"])).wait_for()
        await self.page.locator(".judge .criterion").first.wait_for()
        await self.page.wait_for_timeout(250)  # the keys are bound after the item is drawn
        control = data["sample_id"] not in self.candidates
        asked = [criterion for criterion in CRITERIA if data[f"ask_{criterion}"]]
        said = {criterion: opinion(self.name, data, criterion, control) for criterion in asked}
        failed = [criterion for criterion in asked if said[criterion] == "fail"]
        keys = [_KEYS[criterion][said[criterion]] for criterion in asked]
        for key in keys:
            await self.page.keyboard.press(key)
        for criterion in failed:
            await self.page.keyboard.press("Tab")
            await self.page.keyboard.type(reason(self.name, criterion))
        if failed:
            await self.page.keyboard.press("Shift+Enter")
        if len(self.given) in (0, 7):
            await self.page.screenshot(path=SHOTS / f"{self.name}-{data['round']}-{len(self.given)}.png")
        async with self.page.expect_response(_is_stored, timeout=30_000) as stored:
            await self.page.keyboard.press("Control+Enter")
        assert (await stored.value).status == 201
        self.given.append(
            Verdict(
                self.name,
                data["round"],
                data["sample_id"],
                control,
                said.get("type_compliance"),
                said.get("unanswerability"),
                len(keys) + 1 if not failed else 0,
                data,
            )
        )

    async def _hear(self, response: Response) -> None:
        if "/api/dm/actions?id=next_task" in response.url:
            self._next.put_nowait(await response.json() if response.ok else None)


def _is_stored(response: Response) -> bool:
    return "/annotations?" in response.url and response.request.method == "POST"


def opinion(name: str, data: Mapping[str, Any], criterion: str, control: bool) -> str:
    """Out of a table that is drawn by item and person, wrong now and then. Of the controls Ben calls every
    one good, the others are right."""
    if control:
        return "fail" if is_bad_control(data) and name != "ben" else "pass"
    truth = Random(f"{data['sample_id']} {criterion}").random() < 0.8
    dice = Random(f"{data['sample_id']} {criterion} {name}").random()
    if dice < 0.06:
        return "unsure"
    return "pass" if truth != (dice < 0.2) else "fail"


def is_bad_control(data: Mapping[str, Any]) -> bool:
    """Nothing but this was added, as a person would see at once."""
    return any(phrase in data["modified"] for phrase in _EMPTY_PHRASES)


def reason(name: str, criterion: str) -> str:
    return f"1 4 f: {criterion} in the eyes of number {NAMES.index(name)}"


class Desk:
    """`flawbench review up` of a data folder."""

    def __init__(self, data: "DataFolder", port: int) -> None:
        self.folder = data.folder / "label-studio"
        self.url = f"http://127.0.0.1:{port}"
        self._begin = partial(data.start, "review", "up", "sixty", "--port", str(port))
        self.start()

    def start(self) -> None:
        self._process = self._begin()
        assert self._process.stdout is not None
        told = ""
        while "ready" not in told:
            line = self._process.stdout.readline()
            assert line, f"{told}{self._process.communicate()[1]}"
            told += line
        assert all(name in told for name in NAMES)

    @property
    def keys(self) -> dict[str, Any]:
        return json.loads((self.folder / "keys.json").read_text())

    def kill(self) -> None:
        """The server, as a lack of memory would; `up` ends by itself then."""
        for number in _children(self._process.pid):
            os.kill(number, signal.SIGKILL)
        _, told = self._process.communicate(timeout=60)
        assert self._process.returncode == 2
        assert "Label Studio ended by itself" in told

    def stop(self) -> None:
        if self._process.poll() is not None:  # killed, and what came then failed
            return
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0

    def answered(self) -> int:
        """Requests, each of which stands in the log twice."""
        return (self.folder / "server.log").read_text(errors="replace").count('HTTP/1.1"') // 2


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _children(process: int) -> list[int]:
    found = [
        int(number) for task in Path(f"/proc/{process}/task").glob("*/children") for number in task.read_text().split()
    ]
    return [*(one for child in found for one in _children(child)), *found]
