"""A whole review as people meet it: three annotators work at once in three browser sessions, by keys alone, and every
step between is a command. What must come out is worked out from the clicks, by code that knows nothing of ours."""

import asyncio
import json
import re
import subprocess
import time
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple, Protocol

import krippendorff
import numpy as np
import pyarrow.parquet as pq
import pytest
from playwright.async_api import Browser, Page, Response, async_playwright
from sklearn.metrics import cohen_kappa_score

from annotation.controls import EMPTY_PHRASES
from annotation.label_studio.server import copy_desk

pytestmark = pytest.mark.services

_NAMES = ("zadie", "yorick", "ottilie@example.org")  # in no word and no number of an item
_CRITERIA = ("type_compliance", "unanswerability")
_SHOTS = Path(__file__).resolve().parent.parent.parent / "build" / "review"

_KEYS = {
    "type_compliance": {"pass": "1", "fail": "2", "unsure": "3"},
    "unanswerability": {"pass": "4", "fail": "5", "unsure": "6"},
}
_PATIENCE_SECONDS = 180  # on a machine with much else to do
_EMPTY_PHRASES = tuple(phrase for phrases in EMPTY_PHRASES.values() for phrase in phrases)
_ITEMS = 60
_LOAD, _CONTROLS = 42, 2  # of everybody in the first round: 60 items for two of three, and one in twenty beside them
_REST = 3  # items of the first round that everybody leaves for later


class DataFolder(Protocol):
    folder: Path

    def copied_to(self, folder: Path) -> "DataFolder": ...
    def where(self, settings: Mapping[str, str]) -> "DataFolder": ...

    def start(self, *arguments: str) -> "subprocess.Popen[str]": ...
    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]": ...
    def read(self, *arguments: str) -> Any: ...


class Desk(Protocol):
    url: str
    folder: Path
    keys: Mapping[str, Any]

    def start(self) -> None: ...
    def kill(self) -> None: ...
    def stop(self) -> None: ...
    def answered(self) -> int: ...


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
        self._pictured: set[str] = set()
        self._next: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._heard: deque[str] = deque(maxlen=20)
        page.on("response", self._hear)
        page.on(
            "requestfailed", lambda request: self._heard.append(f"{request.failure} {request.method} {request.url}")
        )

    async def judge(self, link: str, account: Mapping[str, str], most: int | None = None) -> None:
        """All there is, or the next `most`; from the link on without a mouse. The first time it asks who it is."""
        await self.page.goto(link)
        if "/user/login" in self.page.url:
            await self.page.fill("input[name=email]", account["login"])
            await self.page.fill("input[name=password]", account["password"])
            await self.page.press("input[name=password]", "Enter")
        task, done = await self._see_next(), 0
        while done != most and task is not None:
            await self._judge(task)
            task, done = await self._see_next(), done + 1

    async def _see_next(self) -> dict[str, Any] | None:
        """A page that stays empty is loaded again, once, as a person would."""
        try:
            return await asyncio.wait_for(self._next.get(), _PATIENCE_SECONDS / 3)
        except TimeoutError:
            empty = _SHOTS / f"{self.name.partition('@')[0]}-waits"
            await self.page.screenshot(path=empty.with_suffix(".png"))
            empty.with_suffix(".txt").write_text("\n".join([self.page.url, *self._heard]), encoding="utf-8")
            await self.page.reload()
            return await asyncio.wait_for(self._next.get(), _PATIENCE_SECONDS)

    async def _judge(self, task: dict[str, Any]) -> None:
        data = task["data"]
        await self.page.locator(".lsf-current-task__task-id", has_text=str(task["id"])).wait_for()
        await self.page.locator(".judge .criterion").first.wait_for()
        await self.page.wait_for_timeout(250)  # the keys are bound after the item is drawn
        control = data["sample_id"] not in self.candidates
        asked = [criterion for criterion in _CRITERIA if data[f"ask_{criterion}"]]
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
        await self._take_picture(
            f"round-{data['round']}{'-informed' * bool(data['first_round'])}{'-fail' * bool(failed)}"
        )
        async with self.page.expect_response(_is_stored, timeout=_PATIENCE_SECONDS * 1000) as stored:
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

    async def _take_picture(self, kind: str) -> None:
        """The first of each kind."""
        if kind not in self._pictured:
            await self.page.screenshot(path=_SHOTS / f"{self.name.partition('@')[0]}-{kind}.png")
            self._pictured.add(kind)

    async def _hear(self, response: Response) -> None:
        self._heard.append(f"{response.status} {response.request.method} {response.url}")
        if "/api/dm/actions?id=next_task" in response.url:
            self._next.put_nowait(await response.json() if response.ok else None)


def _is_stored(response: Response) -> bool:
    return "/annotations?" in response.url and response.request.method == "POST"


def opinion(name: str, data: Mapping[str, Any], criterion: str, control: bool) -> str:
    """Out of a table that is drawn by item and person, wrong now and then. Of the controls Yorick calls every
    one good, the others are right."""
    if control:
        return "fail" if is_bad_control(data) and name != "yorick" else "pass"
    truth = Random(f"{data['sample_id']} {criterion}").random() < 0.8
    dice = Random(f"{data['sample_id']} {criterion} {name}").random()
    if dice < 0.04:
        return "unsure"
    return "pass" if truth != (dice < 0.12) else "fail"


def is_bad_control(data: Mapping[str, Any]) -> bool:
    """Nothing but this was added, as a person would see at once."""
    return any(phrase in data["modified"] for phrase in _EMPTY_PHRASES)


def reason(name: str, criterion: str) -> str:
    """Begins with keys that would do something elsewhere. Short: each letter costs the page as much as a click."""
    return f"14f {criterion[0]}{_NAMES.index(name)}"


class Outcome(NamedTuple):
    type_compliance: str
    unanswerability: str
    disputed: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        return self.type_compliance == self.unanswerability == "pass"

    @property
    def name(self) -> str:
        """As releases call it."""
        if self.accepted:
            return "accepted"
        return "rejected" if "fail" in (self.type_compliance, self.unanswerability) else "undecided"


def decide(said: Sequence[tuple[int, str | None]]) -> str | None:
    """By round and verdict: what a third says goes before what the two say."""
    rounds = {number: {verdict for found, verdict in said if found == number and verdict} for number in (1, 2)}
    (decided,) = rounds[2] or rounds[1]
    return decided


def find_release(data: DataFolder, *, accepted_only: bool) -> Path:
    """Of those that people judged."""
    manifests = {file: json.loads(file.read_text()) for file in data.folder.glob("releases/*/manifest.json")}
    (found,) = [
        file.parent
        for file, manifest in manifests.items()
        if manifest["review"] and manifest["review"]["accepted_only"] is accepted_only
    ]
    return found


def work_out(given: Sequence[Verdict]) -> dict[str, Outcome]:
    """Two of three; a third decides what the two do not share or are not sure of."""
    by_item: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in given:
        if not verdict.control:
            by_item[verdict.item].append(verdict)
    return {item: _work_out(found) for item, found in by_item.items()}


def _work_out(found: list[Verdict]) -> Outcome:
    first = [verdict for verdict in found if verdict.round == 1]
    third = [verdict for verdict in found if verdict.round == 2]
    assert len({verdict.annotator for verdict in first}) == len(first) == 2
    decided, disputed = {}, []
    for criterion in _CRITERIA:
        said = {getattr(verdict, criterion) for verdict in first}
        if len(said) == 1 and said != {"unsure"}:
            decided[criterion] = said.pop()
            assert all(getattr(verdict, criterion) is None for verdict in third)
        else:
            (one,) = third
            assert one.annotator not in {verdict.annotator for verdict in first}
            disputed.append(criterion)
            decided[criterion] = getattr(one, criterion)
    return Outcome(decided["type_compliance"], decided["unanswerability"], tuple(disputed))


@pytest.fixture(scope="module")
def data(sixty: DataFolder, tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    return sixty.copied_to(tmp_path_factory.mktemp("review") / "data")


@pytest.fixture(scope="module")
def desk(data: DataFolder, desk_template: Path, up: Callable[[DataFolder], Desk]) -> Generator[Desk, None, None]:
    """With the review planned and accounts for all. Only the database is there before, which takes a minute to make."""
    _SHOTS.mkdir(parents=True, exist_ok=True)
    copy_desk(desk_template, data.folder / "label-studio")
    data.run("review", "plan", "sixty", "--annotators", ",".join(_NAMES), "--controls", "0.05")
    started = up(data)
    yield started
    started.stop()


@pytest.fixture(scope="module")
def given(chromium: Mapping[str, Any], data: DataFolder, desk: Desk) -> list[Verdict]:
    """By three annotators at once, in two rounds with a server that is killed in between."""
    return asyncio.run(_review(data, desk, _candidates(data), chromium))


@pytest.fixture(scope="module")
def outcomes(given: list[Verdict]) -> Mapping[str, Outcome]:
    return work_out(given)


@pytest.fixture(scope="module")
def exported(data: DataFolder, given: list[Verdict], prefect_environment: Mapping[str, str]) -> DataFolder:
    """All that was reviewed and what was accepted of it."""
    assert given
    for options in ((), ("--reviewed",)):
        data.where(prefect_environment).run("export", "sixty", *options)
    return data


def _candidates(data: DataFolder) -> set[str]:
    members = data.read("sql", "SELECT item_id FROM build_items WHERE kind = 'candidate'")
    return {row["item_id"] for row in members}


def test_every_candidate_is_decided_by_keys_and_only_who_is_told_sees_the_first_round(
    data: DataFolder, given: list[Verdict], outcomes: Mapping[str, Outcome]
) -> None:
    assert len(outcomes) == _ITEMS
    assert outcomes.keys() == _candidates(data)
    assert {True, False} == {outcome.accepted for outcome in outcomes.values()}
    clear = [verdict.presses for verdict in given if "fail" not in verdict[4:6]]
    assert len(clear) > _ITEMS
    assert max(clear) == 3
    informed = [verdict for verdict in given if verdict.shown["first_round"]]
    assert {verdict.round for verdict in given} == {1, 2}
    assert informed
    assert {verdict.round for verdict in informed} == {2}
    assert any(verdict.round == 2 for verdict in given if verdict not in informed)
    assert not any(name.partition("@")[0] in json.dumps(dict(one.shown)) for one in informed for name in _NAMES)


async def _review(data: DataFolder, desk: Desk, candidates: set[str], chromium: Mapping[str, Any]) -> list[Verdict]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**chromium)
        people = [Annotator(name, await _open_window(browser), candidates) for name in _NAMES]
        logins = dict(zip(_NAMES, desk.keys["annotators"], strict=True))

        async def judge(round_: int, links: Mapping[tuple[str, int], str], most: int | None = None) -> None:
            await asyncio.gather(*(one.judge(links[one.name, round_], logins[one.name], most) for one in people))

        await judge(1, push(data), _LOAD - _REST)
        data.run("review", "pull", "sixty")
        before = _stored(data)
        assert len(before) == 3 * (_LOAD - _REST)

        _push_while_the_server_is_killed(data, desk)
        desk.start()
        data.run("review", "pull", "sixty")
        assert _stored(data) == before
        await judge(1, push(data))
        data.run("review", "pull", "sixty")
        await judge(2, push(data, "--informed"))
        assert "flawbench export sixty --reviewed" in data.run("review", "pull", "sixty").stdout
        await browser.close()
    return [verdict for one in people for verdict in one.given]


async def _open_window(browser: Browser) -> Page:
    """A session of its own, as in a browser of its own."""
    session = await browser.new_context(viewport={"width": 1366, "height": 768})
    return await session.new_page()


def _push_while_the_server_is_killed(data: DataFolder, desk: Desk) -> None:
    """The push of the second round, some requests after its start."""
    there = desk.answered()
    pushing = data.start("review", "push", "sixty")
    while desk.answered() < there + 9 and pushing.poll() is None:
        time.sleep(0.01)
    desk.kill()
    _, told = pushing.communicate(timeout=60)
    assert pushing.returncode == 2, told
    assert f"flawbench: Label Studio at {desk.url}/ does not answer while" in told
    assert told.endswith(
        "Start it with `flawbench review up`, or set FLAWBENCH_LABEL_STUDIO_URL to the server that runs.\n"
    )


def push(data: DataFolder, *options: str) -> dict[tuple[str, int], str]:
    """The link of each annotator and round, as the command prints it."""
    told = data.run("review", "push", "sixty", *options).stdout
    found = re.findall(r"(http\S+) \(round (\d), log in as ([^@)]+)", told)
    names = {name.partition("@")[0]: name for name in _NAMES}
    return {(names[login], int(number)): link for link, number, login in found}


def _stored(data: DataFolder) -> list[dict[str, Any]]:
    return data.read("sql", "SELECT * FROM annotations ORDER BY id")


def test_status_tells_what_is_decided_and_how_each_annotator_did(
    data: DataFolder, given: list[Verdict], outcomes: Mapping[str, Outcome]
) -> None:
    status = data.read("review", "status", "sixty")
    accepted = sum(outcome.accepted for outcome in outcomes.values())
    disputed = sum(bool(outcome.disputed) for outcome in outcomes.values())
    counts = [status[name] for name in ("items", "accepted", "rejected", "open", "disputed", "undealt")]
    counts[2] += status["undecided"]
    assert counts == [_ITEMS, accepted, _ITEMS - accepted, 0, disputed, 0]
    for name, person in zip(_NAMES, status["annotators"], strict=True):
        mine = [verdict for verdict in given if verdict.annotator == name]
        assert (person["annotator"], person["done"], person["left"], person["flagged"]) == (name, len(mine), 0, [])
        controls = [verdict for verdict in mine if verdict.control]
        known = ["fail" if is_bad_control(verdict.shown) else "pass" for verdict in controls]
        right = sum(verdict[4:6].count(expected) for verdict, expected in zip(controls, known, strict=True))
        assert (person["controls_right"], person["controls_judged"]) == (right, 2 * _CONTROLS)
        assert (right == 2 * _CONTROLS) == (name != "yorick")
        assert 0 < person["seconds"] < 60


def test_agreement_is_that_of_the_first_round_as_other_programs_measure_it(
    data: DataFolder, given: list[Verdict]
) -> None:
    """The first round alone, without controls: by sklearn and krippendorff."""
    measured = {found["criterion"]: found for found in data.read("review", "agreement", "sixty")}
    for criterion in _CRITERIA:
        said = {name: {} for name in _NAMES}
        for verdict in given:
            if verdict.round == 1 and not verdict.control:
                said[verdict.annotator][verdict.item] = getattr(verdict, criterion)
        kappas = []
        for pair in measured[criterion]["pairs"]:
            one, other = (said[name] for name in pair["annotators"])
            both = sorted(one.keys() & other.keys())
            kappa = cohen_kappa_score([one[item] for item in both], [other[item] for item in both])
            assert pair["items"] == len(both) == _ITEMS // 3
            assert pair["kappa"] == pytest.approx(kappa)
            assert pair["agreement"] == pytest.approx(mean(one[item] == other[item] for item in both))
            assert pair["interval"][0] <= kappa <= pair["interval"][1]
            kappas.append(kappa)
        coded = {"pass": 0, "fail": 1, "unsure": 2}
        items = sorted({item for given_by in said.values() for item in given_by})
        rows = [[coded.get(said[name].get(item, ""), np.nan) for item in items] for name in _NAMES]
        alpha = krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")
        assert measured[criterion]["alpha"] == pytest.approx(alpha)
        assert measured[criterion]["kappa"] == pytest.approx(mean(kappas))


def test_the_verdicts_are_those_of_the_clicks_of_everybody_on_every_criterion(
    data: DataFolder, given: list[Verdict]
) -> None:
    rows = json.loads(data.run("review", "verdicts", "sixty", "--format", "json").stdout)
    assert all(row["counts"] and row["in_build"] and row["flags"] == "" for row in rows)
    read = {(row["annotator"], row["round"], row["item"]): row for row in rows}
    assert len(read) == len(rows) == len(given)
    for one in given:
        row = read[one.annotator, one.round, one.item]
        assert (row["control"], *(row[criterion] for criterion in _CRITERIA)) == (one.control, *one[4:6])
        for criterion in _CRITERIA:
            failed = getattr(one, criterion) == "fail"
            assert row[f"{criterion}_reason"] == (reason(one.annotator, criterion) if failed else "")


@pytest.mark.parametrize("accepted_only", [False, True], ids=["all", "accepted"])
def test_a_release_holds_what_became_of_each_candidate_and_what_everybody_said(
    exported: DataFolder, given: list[Verdict], outcomes: Mapping[str, Outcome], accepted_only: bool
) -> None:
    """No control, and everybody under a number. What was decided on a criterion, worked out from the release alone, is
    what was clicked."""
    release = find_release(exported, accepted_only=accepted_only)
    rows = pq.read_table(release / "data", columns=["id", "review", "annotations"]).to_pylist()
    tests = {row["id"]: row for row in rows if row["review"]}
    assert tests.keys() == {item for item, outcome in outcomes.items() if outcome.accepted or not accepted_only}
    for item, row in tests.items():
        assert row["review"] == outcomes[item].name
        for criterion in _CRITERIA:
            assert decide([(one["round"], one[criterion]) for one in row["annotations"]]) == getattr(
                outcomes[item], criterion
            )
        labels = [
            (one["annotator"], one["round"], one["type_compliance"], one["unanswerability"])
            for one in row["annotations"]
        ]
        assert sorted(labels, key=str) == sorted(
            (
                (_NAMES.index(one.annotator) + 1, one.round, one.type_compliance, one.unanswerability)
                for one in given
                if one.item == item
            ),
            key=str,
        )
        said = {one[f"{criterion}_reason"] for one in row["annotations"] for criterion in _CRITERIA} - {""}
        assert said <= {reason(name, criterion) for name in _NAMES for criterion in _CRITERIA}
    for file in release.rglob("*"):
        assert file.is_dir() or b"ottilie@example.org" not in file.read_bytes()
