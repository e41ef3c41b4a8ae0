"""docs/coverage.md answers, for every requirement, where it is met and what shows it."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "coverage.md"
STATES = ("done", "not yet", "in part")


class CoverageRow(NamedTuple):
    identifier: str
    subject: str
    modules: str
    tests: str
    state: str


def read_rows() -> list[CoverageRow]:
    lines = re.findall(r"^\| ((?:M|J|A)-\d+) \|(.*)\|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [CoverageRow(identifier, *(cell.strip() for cell in rest.split("|"))) for identifier, rest in lines]


ROWS = read_rows()


def find_paths(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_no_requirement_has_two_rows() -> None:
    identifiers = [row.identifier for row in ROWS]
    assert len(set(identifiers)) == len(identifiers)


def test_every_requirement_has_a_row(shared: Path) -> None:
    text = (shared / "requirements.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\*\*([MJ]-\d+)\b", text))
    readings = {f"A-{number}" for number in re.findall(r"^\| A(\d+) \|", text, flags=re.MULTILINE)}
    assert len(stated) == 49 + 14
    assert len(readings) == 37
    assert {row.identifier for row in ROWS} == stated | readings


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.identifier)
def test_row_names_only_what_exists(row: CoverageRow) -> None:
    for path in find_paths(row.modules) + find_paths(row.tests):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.identifier)
def test_row_states_what_it_can_show(row: CoverageRow) -> None:
    assert row.state.startswith(STATES)
    if row.state == "done":
        assert find_paths(row.modules)
        assert find_paths(row.tests)
    else:
        assert len(row.state) > len("not yet"), "say which part of the project brings it"
