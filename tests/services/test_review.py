"""A whole review as people meet it: three annotators work at once in three browser sessions, by keys alone, and every
step between is a command. What must come out is worked out from the clicks, by code that knows nothing of ours."""

import asyncio
import json
import re
import shutil
import time
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import krippendorff
import numpy as np
import pyarrow.parquet as pq
import pytest
from playwright.async_api import Browser, Page, async_playwright
from sklearn.metrics import cohen_kappa_score

from annotation.label_studio.server import copy_desk
from tests.services.annotators import (
    CRITERIA,
    FLAGS,
    NAMES,
    SHOTS,
    Annotator,
    Desk,
    Verdict,
    free_port,
    is_bad_control,
    reason,
)

if TYPE_CHECKING:
    from tests.services.conftest import DataFolder

pytestmark = pytest.mark.services

_LOAD, _CONTROLS = 44, 4  # of everybody in the first round: 60 items for two of three, and one in ten beside them
_REST = 3  # items of the first round that everybody leaves for later


class Outcome(NamedTuple):
    type_compliance: str
    unanswerability: str
    disputed: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        return self.type_compliance == self.unanswerability == "pass"


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
    for criterion in CRITERIA:
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


@pytest.fixture
def desk(reviewed: "DataFolder", desk_template: Path) -> Generator[Desk, None, None]:
    """With the review planned and accounts for all. Only the database is there before, which takes a minute to make."""
    if shutil.which("chromium") is None:
        pytest.skip("no chromium for the annotators")
    SHOTS.mkdir(parents=True, exist_ok=True)
    copy_desk(desk_template, reviewed.folder / "label-studio")
    reviewed.run("review", "plan", "sixty", "--annotators", ",".join(NAMES), "--controls", "0.1")
    started = Desk(reviewed, free_port())
    yield started
    started.stop()


def test_three_annotators_at_once_judge_two_rounds_and_their_clicks_make_the_release(
    reviewed: "DataFolder", desk: Desk
) -> None:
    members = reviewed.read("sql", "SELECT item_id FROM build_items WHERE kind = 'candidate'")
    candidates = {row["item_id"] for row in members}
    assert len(candidates) == 60

    given = asyncio.run(_review(reviewed, desk, candidates))

    outcomes = work_out(given)
    assert outcomes.keys() == candidates
    assert {True, False} == {outcome.accepted for outcome in outcomes.values()}
    _check_keys(given)
    _check_status(reviewed, given, outcomes)
    _check_agreement(reviewed, given)
    _check_release(reviewed, given, outcomes)


async def _review(data: "DataFolder", desk: Desk, candidates: set[str]) -> list[Verdict]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        people = [Annotator(name, await _open_window(chromium), candidates) for name in NAMES]
        logins = dict(zip(NAMES, desk.keys["annotators"], strict=True))
        await asyncio.gather(*(one.log_in(desk.url, logins[one.name]) for one in people))

        links = push(data)
        await asyncio.gather(*(one.judge(links[one.name, 1], _LOAD - _REST) for one in people))
        data.run("review", "pull", "sixty")
        before = _stored(data)
        assert len(before) == 3 * (_LOAD - _REST)

        _push_while_the_server_is_killed(data, desk)
        desk.start()
        data.run("review", "pull", "sixty")
        assert _stored(data) == before
        links = push(data)
        await asyncio.gather(*(one.judge(links[one.name, 1]) for one in people))
        data.run("review", "pull", "sixty")
        links = push(data, "--informed")
        await asyncio.gather(*(one.judge(links[one.name, 2]) for one in people))
        assert "flawbench export sixty --reviewed" in data.run("review", "pull", "sixty").stdout
        await chromium.close()
    return [verdict for one in people for verdict in one.given]


async def _open_window(chromium: Browser) -> Page:
    """A session of its own, as in a browser of its own."""
    session = await chromium.new_context(viewport={"width": 1366, "height": 768})
    return await session.new_page()


def _push_while_the_server_is_killed(data: "DataFolder", desk: Desk) -> None:
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


def push(data: "DataFolder", *options: str) -> dict[tuple[str, int], str]:
    """The link of each annotator and round, as the command prints it."""
    told = data.run("review", "push", "sixty", *options).stdout
    found = re.findall(r"(http\S+) \(round (\d), log in as ([^@)]+)", told)
    names = {name.partition("@")[0]: name for name in NAMES}
    return {(names[login], int(number)): link for link, number, login in found}


def _stored(data: "DataFolder") -> list[dict[str, Any]]:
    return data.read("sql", "SELECT * FROM annotations ORDER BY id")


def _check_keys(given: list[Verdict]) -> None:
    clear = [verdict.presses for verdict in given if "fail" not in verdict[4:6]]
    assert len(clear) > 60
    assert max(clear) == 3
    informed = [verdict for verdict in given if verdict.shown["first_round"]]
    assert {verdict.round for verdict in given} == {1, 2}
    assert informed
    assert {verdict.round for verdict in informed} == {2}
    assert any(verdict.round == 2 for verdict in given if verdict not in informed)
    assert not any(name.partition("@")[0] in json.dumps(dict(one.shown)) for one in informed for name in NAMES)


def _check_status(data: "DataFolder", given: list[Verdict], outcomes: Mapping[str, Outcome]) -> None:
    status = data.read("review", "status", "sixty")
    accepted = sum(outcome.accepted for outcome in outcomes.values())
    counts = [status[name] for name in ("items", "accepted", "rejected", "open", "disputed", "undealt")]
    assert counts == [60, accepted, 60 - accepted, 0, sum(bool(outcome.disputed) for outcome in outcomes.values()), 0]
    for name, person in zip(NAMES, status["annotators"], strict=True):
        mine = [verdict for verdict in given if verdict.annotator == name]
        assert (person["annotator"], person["done"], person["left"], person["flagged"]) == (name, len(mine), 0, [])
        controls = [verdict for verdict in mine if verdict.control]
        known = ["fail" if is_bad_control(verdict.shown) else "pass" for verdict in controls]
        right = sum(verdict[4:6].count(expected) for verdict, expected in zip(controls, known, strict=True))
        assert (person["controls_right"], person["controls_judged"]) == (right, 2 * _CONTROLS)
        assert (right == 2 * _CONTROLS) == (name != "ben")
        assert 0 < person["seconds"] < 60


def _check_agreement(data: "DataFolder", given: list[Verdict]) -> None:
    """The first round alone, without controls: by sklearn and krippendorff."""
    measured = {found["criterion"]: found for found in data.read("review", "agreement", "sixty")}
    for criterion in CRITERIA:
        said = {name: {} for name in NAMES}
        for verdict in given:
            if verdict.round == 1 and not verdict.control:
                said[verdict.annotator][verdict.item] = getattr(verdict, criterion)
        kappas = []
        for pair in measured[criterion]["pairs"]:
            one, other = (said[name] for name in pair["annotators"])
            both = sorted(one.keys() & other.keys())
            kappa = cohen_kappa_score([one[item] for item in both], [other[item] for item in both])
            assert pair["items"] == len(both) == 20
            assert pair["kappa"] == pytest.approx(kappa)
            assert pair["agreement"] == pytest.approx(mean(one[item] == other[item] for item in both))
            assert pair["interval"][0] <= kappa <= pair["interval"][1]
            kappas.append(kappa)
        coded = {"pass": 0, "fail": 1, "unsure": 2}
        items = sorted({item for given_by in said.values() for item in given_by})
        rows = [[coded.get(said[name].get(item, ""), np.nan) for item in items] for name in NAMES]
        alpha = krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")
        assert measured[criterion]["alpha"] == pytest.approx(alpha)
        assert measured[criterion]["kappa"] == pytest.approx(mean(kappas))


def _check_release(data: "DataFolder", given: list[Verdict], outcomes: Mapping[str, Outcome]) -> None:
    """The accepted candidates, no control, and what everybody said under a number."""
    data.run("export", "sixty", "--reviewed")
    (manifest,) = [
        file
        for file in data.folder.glob("releases/*/manifest.json")
        if json.loads(file.read_text())["review"] and json.loads(file.read_text())["review"]["accepted_only"]
    ]
    rows = pq.read_table(manifest.parent / "data", columns=["id", "review", "annotations"]).to_pylist()
    tests = {row["id"]: row for row in rows if row["review"]}
    assert tests.keys() == {item for item, outcome in outcomes.items() if outcome.accepted}
    for item, row in tests.items():
        assert row["review"] == "accepted"
        labels = [
            (one["annotator"], one["round"], one["type_compliance"], one["unanswerability"])
            for one in row["annotations"]
        ]
        assert sorted(labels) == sorted(
            (NAMES.index(one.annotator) + 1, one.round, one.type_compliance, one.unanswerability)
            for one in given
            if one.item == item
        )
        said = {one[f"{criterion}_reason"] for one in row["annotations"] for criterion in CRITERIA} - {""}
        assert said <= {reason(name, criterion) for name in NAMES for criterion in CRITERIA}
    for file in manifest.parent.rglob("*"):
        assert file.is_dir() or b"eve@example.org" not in file.read_bytes()
