"""A build over real rows of the six data sets: each subtype gets candidates from every source that can give them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.taxonomy import Subtype
from storage.funnel import Funnel, find_faults

pytestmark = pytest.mark.integration

SOURCES = ("olympiadbench", "mmmu_pro", "emma", "mathvista", "math_vision", "visual_genome")
DEGRADATIONS = {
    Subtype.LIGHT_MISSING_VISUAL_PREMISE,
    Subtype.MEDIUM_MISSING_VISUAL_PREMISE,
    Subtype.SEVERE_MISSING_VISUAL_PREMISE,
}
NEED_NO_PICTURE = {
    Subtype.AMBIGUITY,
    Subtype.UNCLEAR_INTENT,
    Subtype.INTRA_TEXTUAL_CONTRADICTION,
    Subtype.BEYOND_CAPABILITY,
}
GIVES_NOTHING = {
    # Only rows of its text-only configs are at hand with all that belongs to them.
    "olympiadbench": set(Subtype) - NEED_NO_PICTURE,
    # Five of the 16 are screenshots; no text of the others names a colour, a label, a bar or one of many like objects
    # in its one picture.
    "mmmu_pro": {Subtype.INTER_VISUAL_CONTRADICTION},
    # Photographs alone: the questions are in a file that is not at hand, and all other flaws start from a text.
    "visual_genome": set(Subtype) - DEGRADATIONS,
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


def test_the_funnel_adds_up_and_tells_why_rows_were_set_aside(real: Path, answer: Callable[..., str]) -> None:
    funnel = Funnel.model_validate_json(answer("funnel", "real", "--json", data=real))
    assert find_faults(funnel) == []
    assert {source.source for source in funnel.sources} == set(SOURCES)
    rows = json.loads(answer("quarantine", "real", "--json", data=real))
    assert len(rows) == sum(sum(source.quarantined.values()) for source in funnel.sources) > 0
    assert all(row["reason"] and row["detail"] for row in rows)


def test_every_source_gives_to_every_subtype_that_it_can(
    real: Path, query: Callable[[Path, str], list[dict[str, Any]]]
) -> None:
    sql = (
        "SELECT DISTINCT samples.source, candidates.subtype FROM candidates "
        "JOIN samples ON samples.id = candidates.parent"
    )
    given = {(row["source"], row["subtype"]) for row in query(real, sql)}
    wanted = {
        (source, subtype.value)
        for source in SOURCES
        for subtype in Subtype
        if subtype not in GIVES_NOTHING.get(source, set())
    }
    assert (sorted(wanted - given), sorted(given - wanted)) == ([], [])
