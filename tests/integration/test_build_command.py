"""`flawbench build` as a user runs it, on the shipped starter set."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration


def test_a_build_makes_a_release_that_opens_and_a_funnel_that_adds_up(flawbench: Callable[..., object], data: Path) -> None:
    import datasets

    from storage.funnel import Funnel, find_faults

    output = flawbench("build").stdout  # type: ignore[attr-defined]
    (folder,) = (data / "releases").iterdir()
    assert str(folder) in output
    release = datasets.load_dataset(str(folder), cache_dir=str(data / "cache"))
    funnel = Funnel.model_validate_json(flawbench("funnel", "starter", "--json").stdout)  # type: ignore[attr-defined]
    assert find_faults(funnel) == []
    selected = {row.subtype: row.selected for row in funnel.subtypes}
    assert len(selected) == 12
    assert sum(selected.values()) == release["test"].num_rows
    assert all(count > 0 for count in selected.values()), selected


def test_a_second_build_computes_nothing_and_is_the_same(
    flawbench: Callable[..., object], contents: Callable[[str], Mapping[str, object]], data: Path
) -> None:
    flawbench("build", "--limit", "20")
    before, parts = contents("starter"), _parts(data)
    flawbench("build", "--limit", "20")
    assert contents("starter") == before
    assert _parts(data) == parts
    assert len(list((data / "releases").iterdir())) == 1


def test_one_injector_joins_an_existing_build(
    flawbench: Callable[..., object], contents: Callable[[str], Mapping[str, object]]
) -> None:
    flawbench("build", "--subtype", "missing_image", "--limit", "20")
    before = _kinds(contents("starter"))
    flawbench("inject", "missing_instruction", "--limit", "20")
    after = _kinds(contents("starter"))
    assert set(before) == {"missing_image"}
    assert set(after) == {"missing_image", "missing_instruction"}
    assert after["missing_image"] == before["missing_image"]


def test_every_candidate_tells_where_it_came_from(flawbench: Callable[..., object]) -> None:
    flawbench("build", "--subtype", "mismatch", "--limit", "20")
    asked = flawbench("sql", "--json", "SELECT id FROM candidates LIMIT 1").stdout  # type: ignore[attr-defined]
    (candidate,) = json.loads(asked)
    tree = flawbench("lineage", candidate["id"]).stdout  # type: ignore[attr-defined]
    for kind in ("candidate", "sample", "source", "recipe", "run"):
        assert kind in tree


def _parts(data: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (data / "objects" / "parts").rglob("*.parquet")}


def _kinds(contents: Mapping[str, object]) -> dict[str, list[str]]:
    members = contents["members"]
    assert isinstance(members, list)
    kinds: dict[str, list[str]] = {}
    for member in members:
        if member["kind"] == "candidate":
            kinds.setdefault(member["subtype"], []).append(member["item_id"])
    return kinds
