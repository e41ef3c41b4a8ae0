"""A build over real rows of the five data sets: each subtype gets candidates from every source that can give them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.taxonomy import Subtype
from storage.funnel import Funnel, find_faults

pytestmark = pytest.mark.integration

SOURCES = ("olympiadbench", "mmmu_pro", "emma", "mathvista", "math_vision")
WITHOUT_PICTURES = {"olympiadbench"}  # only rows of its text-only configs are at hand with all that belongs to them
NEED_NO_PICTURE = {
    Subtype.AMBIGUITY,
    Subtype.UNCLEAR_INTENT,
    Subtype.INTRA_TEXTUAL_CONTRADICTION,
    Subtype.BEYOND_CAPABILITY,
}
EXACT_RULES = {  # what these refuse lies in the sample, not in how much a rule dares
    Subtype.LIGHT_MISSING_VISUAL_PREMISE,
    Subtype.MEDIUM_MISSING_VISUAL_PREMISE,
    Subtype.SEVERE_MISSING_VISUAL_PREMISE,
    Subtype.MISSING_IMAGE,
    Subtype.MISSING_INSTRUCTION,
    Subtype.MISMATCH,
}


@pytest.fixture(scope="module")
def real(shared: Path, command: Callable[..., object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a build over all real rows."""
    folder = tmp_path_factory.mktemp("real")
    recipe = {
        "name": "real",
        "sources": [{"reader": name, "location": str(shared / "sources" / name)} for name in SOURCES],
        "targets": {subtype.value: 60 for subtype in Subtype},
    }
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    command("build", "--recipe", str(folder / "recipe.yaml"), data=folder / "data")
    return folder / "data"


def test_the_funnel_adds_up_and_tells_why_rows_were_set_aside(real: Path, command: Callable[..., object]) -> None:
    funnel = Funnel.model_validate_json(command("funnel", "real", "--json", data=real).stdout)
    assert find_faults(funnel) == []
    assert {source.source for source in funnel.sources} == set(SOURCES)
    rows = json.loads(command("quarantine", "real", "--json", data=real).stdout)
    assert len(rows) == sum(sum(source.quarantined.values()) for source in funnel.sources) > 0
    assert all(row["reason"] and row["detail"] for row in rows)


def test_every_source_gives_to_every_subtype_that_it_can(
    real: Path, query: Callable[[Path, str], list[dict[str, Any]]]
) -> None:
    sql = (
        "SELECT samples.source, candidates.subtype, count(*) AS count FROM candidates "
        "JOIN samples ON samples.id = candidates.parent GROUP BY ALL"
    )
    rows = query(real, sql)
    given = {(row["source"], row["subtype"]): row["count"] for row in rows}
    for source in SOURCES:
        wanted = NEED_NO_PICTURE if source in WITHOUT_PICTURES else NEED_NO_PICTURE | EXACT_RULES
        assert [subtype for subtype in wanted if not given.get((source, subtype.value))] == [], source
    for subtype in Subtype:
        assert sum(count for (_, name), count in given.items() if name == subtype) > 0, subtype
