"""The manual of models explains every key, and its whole file is one that can be used."""

import re
from pathlib import Path

import pytest

from core.model_specs import (
    RUNTIME_FIELDS,
    GeneratorShare,
    Limits,
    ModelSpec,
    ModelsRecipe,
    PanelRecipe,
    Parameters,
    Price,
    load_models,
)
from core.records import Record

MANUAL = (Path(__file__).resolve().parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
HEADINGS: dict[type[Record], str] = {
    ModelsRecipe: "## The file",
    GeneratorShare: "### `generators`: a list",
    ModelSpec: "## `models`: one of them",
    Parameters: "### `parameters`",
    Limits: "### `limits`",
    PanelRecipe: "## `panel`",
    Price: "## `prices`: one of them",
}


def table_under(heading: str) -> dict[str, str]:
    """The default of each key, as written in the first table after the heading."""
    section = re.split(r"^#", MANUAL.split(f"\n{heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*?) ?\|$", section, re.MULTILINE)
    return {key: default.strip("`") for key, default in rows}


@pytest.mark.parametrize("record", HEADINGS, ids=lambda record: record.__name__)
def test_every_key_stands_in_its_table_and_no_other_does(record: type[Record]) -> None:
    assert set(table_under(HEADINGS[record])) == set(record.model_fields)


@pytest.mark.parametrize("record", HEADINGS, ids=lambda record: record.__name__)
def test_defaults_are_those_of_the_code(record: type[Record]) -> None:
    told = table_under(HEADINGS[record])
    for name, field in record.model_fields.items():
        assert (told[name] == "required") == field.is_required(), name
        if isinstance(field.default, bool):
            assert told[name] == str(field.default).lower(), name
        elif isinstance(field.default, str):
            assert told[name] == field.default, name
        elif isinstance(field.default, int | float):
            assert float(told[name]) == field.default, name


def test_fields_that_cost_no_new_request_are_all_named() -> None:
    told = MANUAL.split("`RUNTIME_FIELDS` of `core/model_specs.py`:")[1].split(". ")[0]
    assert set(re.findall(r"`(\w+)`", told)) == RUNTIME_FIELDS


def test_the_whole_file_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "my-models.yaml"
    file.write_text(MANUAL.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    models = load_models(str(file))
    assert len(models.generators) == 3
    assert models.image_editor and models.panel.reserve and models.prices and models.budget_usd
