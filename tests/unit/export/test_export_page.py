"""docs/export-formats.md describes the release that is written."""

import re
from pathlib import Path
from typing import get_args

import pytest

from core.records import Edit
from export.dataset import COLUMNS
from export.premise_dataset import COLUMNS as PREMISE_COLUMNS


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs" / "export-formats.md").read_text(encoding="utf-8")


def test_columns_of_the_page_are_the_columns_in_order(page: str) -> None:
    table = page.split("## Columns")[1].split("## Edits")[0]
    assert re.findall(r"^\| `([^`]+)` \| ", table, flags=re.MULTILINE) == list(COLUMNS)


def test_every_kind_of_edit_is_on_the_page(page: str) -> None:
    kinds = [edit.model_fields["kind"].default for edit in get_args(get_args(Edit)[0])]
    table = page.split("## Edits")[1].split("## Premise pairs")[0]
    assert re.findall(r"^\| `([^`]+)` \| ", table, flags=re.MULTILINE) == kinds


def test_every_column_of_premise_pairs_is_on_the_page(page: str) -> None:
    table = page.split("## Premise pairs")[1].split("## What the text alone tells")[0]
    named = {name for line in table.splitlines() if line.startswith("| `") for name in re.findall("`([^`]+)`", line)}
    assert named >= set(PREMISE_COLUMNS)
