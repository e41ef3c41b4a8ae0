"""`flawbench build` and the commands around it as a user runs them, on the shipped starter set."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import datasets
import httpx
import pytest
import yaml

from storage.funnel import Funnel, find_faults

pytestmark = pytest.mark.integration

Query = Callable[[Path, str], list[dict[str, str]]]
_BLIND = ("classifiers", "subtypes", "features", "majority")


def test_a_build_makes_a_release_that_opens_and_a_funnel_that_adds_up(
    starter: Path, answer: Callable[..., str], tmp_path: Path
) -> None:
    (folder,) = (starter / "releases").iterdir()
    release = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
    funnel = Funnel.model_validate_json(answer("funnel", "starter", "--json", data=starter))
    assert find_faults(funnel) == []
    selected = {row.subtype: row.selected for row in funnel.subtypes}
    assert len(selected) == 12
    assert all(count > 0 for count in selected.values()), selected
    assert release["test"].num_rows == sum(selected.values())


def test_a_second_build_computes_nothing_and_is_the_same(
    starter: Path, command: Callable[..., object], contents: Callable[[Path], object]
) -> None:
    before, parts = contents(starter), _parts(starter)
    output = command("build", data=starter).stdout
    (folder,) = (starter / "releases").iterdir()
    assert str(folder) in output
    assert contents(starter) == before
    assert _parts(starter) == parts


def test_the_funnel_of_a_build_is_an_artifact_in_prefect(
    starter: Path, answer: Callable[..., str], environment: Mapping[str, str]
) -> None:
    funnel = Funnel.model_validate_json(answer("funnel", "starter", "--json", data=starter))
    wanted = {"artifacts": {"key": {"any_": ["funnel"]}}}
    listed = httpx.post(f"{environment['PREFECT_API_URL']}/artifacts/filter", json=wanted).json()
    shown = [{row["subtype"]: row["in build"] for row in json.loads(artifact["data"])} for artifact in listed]
    assert {row.subtype: row.selected for row in funnel.subtypes} in shown


def test_one_injector_joins_an_existing_build(
    command: Callable[..., object], query: Query, data: Path, tmp_path: Path
) -> None:
    command("build", "--subtype", "missing_image", "--limit", "20", data=data)
    before = _candidates(query, data)
    command("inject", "missing_instruction", "--limit", "20", data=data)
    command("inject", "beyond_capability", "--recipe", _other_recipe(tmp_path), "--into", "starter", data=data)
    after = _candidates(query, data)
    assert set(before) == {"missing_image"}
    assert set(after) == {"missing_image", "missing_instruction", "beyond_capability"}
    assert after["missing_image"] == before["missing_image"]
    command("export", data=data)
    releases = [json.loads(path.read_text()) for path in data.glob("releases/*/manifest.json")]
    assert {len(release["subtypes"]) for release in releases} == {1, 3}
    assert _sources(query, data, "beyond_capability") == {"mapped/questions.jsonl"}
    assert _sources(query, data, "missing_instruction") == {"starter"}


def test_a_build_to_join_that_is_not_there_is_told_to_be_new(
    command: Callable[..., object], starter: Path, data: Path
) -> None:
    shutil.copytree(starter, data)
    joined, misspelt = (
        command("inject", "missing_image", "--limit", "5", "--into", build, data=data).stderr
        for build in ("starter", "startr")
    )
    assert "is new" not in joined
    assert "build=startr is new. Builds that could be joined: starter." in misspelt


def _other_recipe(folder: Path) -> str:
    """Of another name, on questions of another source."""
    texts = [f"A train covers {120 + number} km in 2 hours. What is its mean speed in km/h?" for number in range(3)]
    lines = [json.dumps({"id": str(number), "question": text}) for number, text in enumerate(texts)]
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    mapping = {"id": "id", "query": "question", "subject": "=physics", "licence": "=CC0-1.0"}
    location = str(folder / "questions.jsonl")
    recipe = {
        "name": "other",
        "sources": [{"reader": "mapped", "location": location, "mapping": mapping}],
        "targets": {"beyond_capability": 2},
    }
    (folder / "other.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return str(folder / "other.yaml")


def test_every_candidate_tells_where_it_came_from(starter: Path, answer: Callable[..., str], query: Query) -> None:
    (candidate,) = query(starter, "SELECT id FROM candidates WHERE subtype = 'mismatch' ORDER BY id LIMIT 1")
    tree = answer("lineage", candidate["id"], data=starter)
    for kind in ("candidate", "sample", "source", "recipe", "run", "takes_pictures_of"):
        assert kind in tree
    assert json.loads(answer("lineage", candidate["id"], "--json", data=starter))["id"] == candidate["id"]


def test_the_linter_tells_of_a_release_what_its_gate_measured(starter: Path, command: Callable[..., object]) -> None:
    (folder,) = (starter / "releases").iterdir()
    report = json.loads((folder / "manifest.json").read_text())["blindness"]["report"]
    found = json.loads(command("lint", str(folder), "--format", "json", data=starter, check=False).stdout)["findings"]
    (blind,) = [one for one in found if one["kind"] == "blind_baseline"]
    assert blind["count"] == report["rows"] > 40
    assert {name: blind[name] for name in ("accuracy", "interval", "auc")} == {
        name: report["best"][name] for name in ("accuracy", "interval", "auc")
    }
    assert {name: blind[name] for name in _BLIND} == {name: report[name] for name in _BLIND}


def _parts(data: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (data / "objects" / "parts").rglob("*.parquet")}


def _candidates(query: Query, data: Path) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for row in query(data, "SELECT subtype, item_id FROM build_items WHERE kind = 'candidate' ORDER BY rank"):
        kinds.setdefault(row["subtype"], []).append(row["item_id"])
    return kinds


def _sources(query: Query, data: Path, subtype: str) -> set[str]:
    """Of the candidates of this subtype in the build."""
    sql = (
        "SELECT DISTINCT samples.source FROM build_items JOIN candidates ON candidates.id = build_items.item_id "
        f"JOIN samples ON samples.id = candidates.parent WHERE build = 'starter' AND candidates.subtype = '{subtype}'"
    )
    return {row["source"] for row in query(data, sql)}
