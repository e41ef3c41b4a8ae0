"""Builds that several runs made: what is said of them, and what their releases name. The models are scripted ones."""

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml
from review_rows import first_project, passed

from core.review import ReviewProject
from storage.lineage import Lineage
from storage.membership import ItemKind
from storage.reviews import Reviews

pytestmark = pytest.mark.integration

SMALL = ("--limit", "8", "--subtype", "cross_modal_contradiction", "--subtype", "missing_image")


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A generator and two validators that touch nothing."""
    content = {
        "name": "acted",
        "models": {
            name: {"provider": "scripted", "name": f"scripted-{name}", "family": name}
            for name in ("writer", "one", "two")
        },
        "generators": [{"model": "writer", "share": 1.0}],
        "panel": {"validators": ["one", "two"]},
    }
    path = tmp_path_factory.mktemp("models") / "models.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return str(path)


def newest_manifest(data: Path, build: str) -> Mapping[str, object]:
    paths = [
        path for path in data.glob(f"releases/{build}-*/manifest.json") if f'"build": "{build}"' in path.read_text()
    ]
    return json.loads(max(paths, key=lambda path: path.stat().st_mtime_ns).read_text(encoding="utf-8"))


def test_a_release_names_the_recipe_of_every_run_that_rows_come_from(command: object, models: str, data: Path) -> None:
    command("build", *SMALL, "--models", "none", data=data)  # type: ignore[operator]
    for _ in range(2):
        command("inject", "unclear_intent", "--limit", "8", "--models", models, data=data)  # type: ignore[operator]
    shown = command("builds", data=data).stdout  # type: ignore[operator]
    assert "rules, acted (scripted-writer)" in shown
    assert "no panel, panel all" in shown
    command("export", data=data)  # type: ignore[operator]
    before = newest_manifest(data, "starter")
    (added,) = before["further_recipes"]  # type: ignore[misc]
    assert before["recipe_content"]["models"] is None  # type: ignore[index]
    assert added["recipe_content"]["models"]["panel"]["rule"] == "all"
    assert added["recipe_content"]["targets"] == {"unclear_intent": 8}
    assert "unclear_intent@1" in before["prompts"]  # type: ignore[operator]

    told = command("refilter", "starter", "--rule", "any", data=data).stdout  # type: ignore[operator]

    assert "rule all -> any: +0 -0 rows" in " ".join(told.split())
    after = newest_manifest(data, "starter")
    assert after["subtypes"] == before["subtypes"]
    assert after["further_recipes"][0]["recipe_content"]["models"]["panel"]["rule"] == "any"  # type: ignore[index]


def test_samples_with_two_flaws_name_what_made_the_first_and_a_replaced_build_is_told(
    command: object, models: str, data: Path
) -> None:
    first = command("build", *SMALL, "--models", models, data=data)  # type: ignore[operator]
    again = command("build", "--limit", "10", *SMALL[2:], "--models", models, data=data)  # type: ignore[operator]
    assert not any("replaced" in run.stdout or "replaces" in run.stderr for run in (first, again))
    command("combine", "starter", "--models", models, data=data)  # type: ignore[operator]
    dual = newest_manifest(data, "starter-dual")
    assert {"cross_modal_contradiction@1", "unclear_intent@1"} < set(dual["prompts"])  # type: ignore[call-overload]
    (origin,) = dual["further_recipes"]  # type: ignore[misc]
    assert (origin["recipe"], origin["recipe_content"]["targets"]["missing_image"]) == ("starter", 10)

    replacing = command("build", *SMALL, "--models", "none", data=data)  # type: ignore[operator]

    assert "made by acted (scripted-writer), panel all, now by rules, no panel" in replacing.stderr
    assert "replaced " in replacing.stdout


def test_a_build_that_people_review_grows_and_is_never_replaced(command: object, data: Path) -> None:
    command("build", *SMALL, "--models", "none", data=data)  # type: ignore[operator]
    command("review", "plan", "starter", "--annotators", "ada,ben", data=data)  # type: ignore[operator]
    pushed("starter", data)
    command("inject", "mismatch", "--limit", "8", "--models", "none", data=data)  # type: ignore[operator]
    lineage = Lineage(data / "lineage.duckdb", lock_timeout_seconds=30)
    before = lineage.members("starter", ItemKind.CANDIDATE)

    refused = command("build", *SMALL, "--models", "none", data=data, check=False)  # type: ignore[operator]

    assert refused.returncode == 2
    told = " ".join(refused.stderr.split())
    assert "People review build starter (" in told
    assert "rows dealt, 0 verdicts pulled)" in told
    assert "some added by `flawbench inject`" in told
    assert "another `name`" in told
    assert lineage.members("starter", ItemKind.CANDIDATE) == before


@pytest.fixture(scope="module")
def built(command: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a build of three rows of each of two subtypes, out of 30 questions."""
    data = tmp_path_factory.mktemp("few") / "data"
    command("build", *few(data, 3), "--limit", "30", data=data)  # type: ignore[operator]
    return data


@pytest.fixture
def reviewed(command: object, built: Path, data: Path) -> Path:
    """People review it, and ada has judged all rows."""
    shutil.copytree(built, data)
    command("review", "plan", "few", "--annotators", "ada,ben", "--controls", "0", data=data)  # type: ignore[operator]
    judge_all(data)
    return data


def test_no_run_takes_a_row_out_of_a_review(command: object, reviewed: Path) -> None:
    before = {kind: members(reviewed, kind) for kind in ItemKind}

    fewer, more = (
        command("build", *few(reviewed, 3), "--limit", limit, data=reviewed, check=False)  # type: ignore[operator]
        for limit in ("10", "60")
    )

    assert (fewer.returncode, more.returncode) == (2, 2)
    assert "(at most 10 questions, before 30)" in fewer.stderr
    assert "injections" not in fewer.stderr
    assert re.search(r"would take ([2-6]) of their 6 rows out of it, \1 of them with verdicts", more.stderr)
    assert "another `name`" in more.stderr
    assert {kind: members(reviewed, kind) for kind in ItemKind} == before


def test_a_build_in_review_goes_on_when_every_row_stays(command: object, reviewed: Path) -> None:
    before = members(reviewed, ItemKind.CANDIDATE)

    told = command("build", *few(reviewed, 5), "--limit", "30", data=reviewed).stderr  # type: ignore[operator]

    after = members(reviewed, ItemKind.CANDIDATE)
    assert (len(before), len(after)) == (6, 10)
    assert before < after
    assert "leave it" not in told


def test_a_growth_says_how_many_rows_leave_a_build_and_a_plan_of_which_nothing_was_pushed(
    command: object, built: Path, data: Path
) -> None:
    shutil.copytree(built, data)
    command("review", "plan", "few", "--annotators", "ada,ben", "--controls", "0", data=data)  # type: ignore[operator]
    before = members(data, ItemKind.CANDIDATE)

    told = command("build", *few(data, 3), "--limit", "60", data=data).stderr  # type: ignore[operator]

    gone = before - members(data, ItemKind.CANDIDATE)
    assert gone
    assert f"build=few: {len(gone)} of its 6 rows leave it" in told
    assert f"build=few: {len(gone)} of the 6 rows that its review was planned with leave" in told


def test_only_verdicts_make_a_release_another_one_by_people(command: object, built: Path, data: Path) -> None:
    shutil.copytree(built, data)
    command("review", "plan", "few", "--annotators", "ada,ben", "--controls", "0", data=data)  # type: ignore[operator]
    unjudged = command("export", "few", data=data)  # type: ignore[operator]
    judge_all(data)
    judged = command("export", "few", data=data)  # type: ignore[operator]
    assert ["verdicts of people alone" in run.stdout for run in (unjudged, judged)] == [False, True]


def test_a_release_of_accepted_rows_is_refused_before_a_server_is_started(
    command: object, reviewed: Path, unused_port: Callable[[], int]
) -> None:
    nowhere = f"http://127.0.0.1:{unused_port()}/api"
    refused = command("export", "few", "--reviewed", data=reviewed, check=False, PREFECT_API_URL=nowhere)  # type: ignore[operator]
    assert refused.returncode == 2
    assert "No row of build few was accepted by people" in refused.stderr
    assert not (reviewed / "prefect" / "server.log").exists()


def judge_all(data: Path) -> None:
    """What ada has, which are all rows."""
    asked = [found for found in reviews(data).assignments("few") if found.annotator == "ada"]
    items = [found.item for found in asked]
    reviews(data).store_pull(pushed("few", data), [passed(found) for found in asked], items)


def members(data: Path, kind: ItemKind) -> set[str]:
    return {found.item_id for found in Lineage(data / "lineage.duckdb", 30).members("few", kind)}


def few(folder: Path, wanted: int) -> tuple[str, ...]:
    """Options of a build of so many rows of each of two subtypes."""
    folder.mkdir(exist_ok=True)
    path = folder / "few.yaml"
    content = {
        "name": "few",
        "sources": [{"reader": "starter"}],
        "targets": {"missing_image": wanted, "unclear_intent": wanted},
    }
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return ("--recipe", str(path), "--models", "none")


def pushed(build: str, data: Path) -> ReviewProject:
    """As after a push to ada."""
    project = first_project(build, "ada")
    reviews(data).store_project(project)
    return project


def reviews(data: Path) -> Reviews:
    return Reviews(data / "lineage.duckdb", lock_timeout_seconds=30)


def test_a_name_whose_runs_all_failed_is_listed_apart(command: object, data: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "failed.yaml"
    content = {
        "name": "failed",
        "sources": [{"reader": "starter", "take": 1}],
        "targets": {"mismatch": 1},  # there is no other question to take a picture from
    }
    recipe.write_text(yaml.safe_dump(content), encoding="utf-8")
    assert command("build", "--recipe", str(recipe), data=data, check=False).returncode  # type: ignore[operator]
    shown, failed = (command("builds", *more, data=data).stdout for more in ((), ("--unfinished",)))  # type: ignore[operator]
    assert "failed" not in shown.replace("--unfinished", "")
    assert "Not listed: 1" in shown
    assert "failed" in failed
