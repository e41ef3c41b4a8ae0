"""A local source is read again when its data change, and for nothing else."""

from pathlib import Path

import pytest

from core.recipe import Recipe
from tasks.reading import source_shards

LEFT = ("__pycache__/draw.pyc", "images/__pycache__/a.pyc", ".git/index", ".DS_Store", "images/._1.png")


def key_of(folder: Path) -> str:
    source = {"reader": "picture_folder", "location": str(folder)}
    recipe = Recipe.model_validate({"name": "r", "sources": [source], "targets": {"mismatch": 1}})
    (shard,) = source_shards(recipe)
    return shard.key


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "rows.jsonl").write_text("{}\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", LEFT)
def test_what_programs_leave_beside_data_changes_nothing(name: str, folder: Path) -> None:
    before = key_of(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"left")
    assert key_of(folder) == before


@pytest.mark.parametrize("name", ["rows.jsonl", "images/1.png"])
def test_other_data_are_another_source(name: str, folder: Path) -> None:
    before = key_of(folder)
    (folder / name).write_bytes(b"other data")
    assert key_of(folder) != before
