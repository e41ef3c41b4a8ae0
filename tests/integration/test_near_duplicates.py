"""Candidates that are nearly the same input though their questions are not: the panel is not paid for the second one,
neither in one build nor where another run adds to it."""

import json
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from filters.base import DropReason
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer
from sources.starter import FOLDER

pytestmark = pytest.mark.integration

QUESTIONS = 6
Run = Callable[..., Any]
Query = Callable[[Path, str], list[dict[str, Any]]]


@pytest.fixture
def run(command: Run, server: StartedFaultServer, tmp_path: Path, data: Path) -> Run:
    """A writer, and two validators on the server."""
    server.set(FaultPlan())
    url = {"provider": "openai", "base_url": f"{server.url}/v1", "parameters": {"max_tokens": 2000}}
    content = {
        "name": "tested",
        "models": {name: {**url, "name": name, "family": name} for name in ("writer", "one", "two")},
        "generators": [{"model": "writer", "share": 1.0}],
        "panel": {"validators": ["one", "two"]},
    }
    path = tmp_path / "models.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return partial(command, data=data, FLAWBENCH_MODELS=str(path))


@pytest.fixture
def make_recipe(tmp_path: Path) -> Callable[..., Path]:
    """Of starter questions, whose query is removed. `again`: with smaller pictures as JPEG; `copied`: these with
    another query. `ids`: of these questions alone."""

    def make(name: str, *kinds: str, ids: Collection[str] = ()) -> Path:
        folder = tmp_path / name
        (folder / "pictures").mkdir(parents=True)
        lines = (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if len(row["pictures"]) == 1][:QUESTIONS]
        chosen = [row for row in rows if not ids or row["id"] in ids]
        written = [write(row, folder, kind) for kind in kinds for row in chosen]
        (folder / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in written), encoding="utf-8")
        recipe = {
            "name": name,
            "sources": [{"reader": "starter", "location": str(folder)}],
            "targets": {"missing_instruction": len(written)},
            "missing_instruction": {"mode": "query_only"},
        }
        path = tmp_path / f"{name}.yaml"
        path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
        return path

    return make


def write(row: dict[str, Any], folder: Path, kind: str) -> dict[str, Any]:
    with Image.open(FOLDER / "pictures" / row["pictures"][0]) as opened:
        image = opened.convert("RGB")
    if kind == "own":
        image.save(folder / "pictures" / f"{row['id']}.png")
        return {**row, "pictures": [f"{row['id']}.png"]}
    image.resize((image.width * 9 // 10, image.height * 9 // 10)).save(folder / "pictures" / f"{row['id']}.jpg")
    asked = row["query"] if kind == "again" else "Which colours are used here?"
    return {**row, "id": f"{row['id']}-{kind}", "pictures": [f"{row['id']}.jpg"], "query": asked}


def test_of_two_candidates_whose_pictures_look_alike_the_second_is_asked_about_only_when_the_first_failed(
    run: Run, server: StartedFaultServer, query: Query, data: Path, make_recipe: Callable[..., Path]
) -> None:
    run("build", "--recipe", str(make_recipe("both", "own", "copied")))
    kept = {row["item_id"] for row in query(data, "SELECT item_id FROM build_items WHERE kind = 'candidate'")}
    near = query(data, f"SELECT item, evidence FROM decisions WHERE reason = '{DropReason.NEAR_DUPLICATE}'")
    asked = {row["item"] for row in query(data, "SELECT item FROM calls WHERE stage = 'panel'")}
    assert len(near) == len(kept) > QUESTIONS / 2
    assert all(any(name in row["evidence"] for name in kept) for row in near)
    assert asked.isdisjoint(row["item"] for row in near)
    assert len(asked) == len(kept) + 2 * (QUESTIONS - len(kept))


def test_a_run_that_adds_what_the_build_has_or_nearly_has_asks_nobody(
    run: Run, server: StartedFaultServer, query: Query, data: Path, make_recipe: Callable[..., Path]
) -> None:
    run("build", "--recipe", str(make_recipe("first", "own")))
    rows = "build_items JOIN candidates ON candidates.id = item_id JOIN samples ON samples.id = parent"
    ids = {row["source_id"] for row in query(data, f"SELECT source_id FROM {rows} WHERE kind = 'candidate'")}
    server.reset()
    added = ("inject", "missing_instruction", "--recipe", str(make_recipe("other", "again", "copied", ids=ids)))
    ended = run(*added, "--into", "first", "--limit", str(2 * len(ids)), check=False)
    assert "This run kept no candidate" in ended.stderr
    assert (len(ids) > 0, server.counts().asked) == (True, 0)
    reasons = query(data, "SELECT reason, count(*) AS n FROM decisions WHERE reason LIKE '%duplicate%' GROUP BY ALL")
    assert {row["reason"]: row["n"] for row in reasons} == {
        "duplicate": len(ids),
        DropReason.NEAR_DUPLICATE: len(ids),
    }
