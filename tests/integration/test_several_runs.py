"""Builds that several runs made: what is said of them, and what their releases name. The models are scripted ones."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from core.review import ReviewProject, Round
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
    project = ReviewProject(
        build="starter", round=Round.FIRST, annotator="ada", url="http://x", project=1, user=1, screen_sha="0" * 64
    )
    Reviews(data / "lineage.duckdb", lock_timeout_seconds=30).store_project(project)
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
