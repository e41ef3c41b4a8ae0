import json
import re

import pytest

from core.errors import ExportError
from core.records import Sample
from core.taxonomy import Subtype
from export.dataset import COLUMNS
from export.rows import (
    ReleaseItem,
    ReleaseRow,
    find_twins,
    make_flawed_row,
    make_twin_row,
    make_twin_rows,
    option_letter,
    render_question,
)


@pytest.mark.parametrize(
    ("context", "query", "options", "expected"),
    [
        pytest.param("C.", "Q?", ("x", "y"), "C.\n\nQ?\n\nA. x\nB. y", id="all parts"),
        pytest.param(None, "See <image 2>.", (), "See <image 2>.", id="query with a token"),
        pytest.param("C.", None, (), "C.", id="no query"),
        pytest.param("", "", (), "", id="empty texts"),
        pytest.param(None, None, (), "", id="absent texts"),
        pytest.param(None, None, ("", "<image 1>"), "A. \nB. <image 1>", id="options alone, one empty"),
    ],
)
def test_question_joins_the_parts_that_are_there(
    context: str | None, query: str | None, options: tuple[str, ...], expected: str
) -> None:
    assert render_question(context, query, options) == expected


@pytest.mark.parametrize(("index", "letter"), [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA")])
def test_option_letters_go_on_after_z(index: int, letter: str) -> None:
    assert option_letter(index) == letter


def test_row_fields_are_the_documented_columns_in_order() -> None:
    assert ReleaseRow._fields == tuple(COLUMNS)


def test_flawed_row_carries_the_flaw_and_its_twin(items: list[ReleaseItem]) -> None:
    row = make_flawed_row(items[0])
    assert row.subtype == "intra_textual_contradiction"
    assert (row.primary_type, row.region) == ("premise_contradiction", "text_only")
    assert row.flaw == "The price of a pen is given as 2 and as 5 euros."
    assert row.pair_id == items[0].parent.id == make_twin_row(items[0].parent).id
    assert (row.answer, row.correct_options) == (None, ())


def test_edits_are_json_that_gives_the_source_text_back(items: list[ReleaseItem]) -> None:
    row = make_flawed_row(items[0])
    [edit] = json.loads(row.edits or "")
    assert row.context is not None
    end = edit["start"] + len(edit["after"])
    assert row.context[: edit["start"]] + edit["before"] + row.context[end:] == items[0].parent.context


def test_masks_stand_beside_degraded_pictures(items: list[ReleaseItem]) -> None:
    row = make_flawed_row(items[3])
    [edit] = json.loads(row.edits or "")
    assert [mask.sha256 for mask in row.masks] == [edit["mask"]["sha256"]]


def test_borrowed_pictures_bring_licence_and_attribution(items: list[ReleaseItem]) -> None:
    row = make_flawed_row(items[4])
    assert row.licence == "mit AND cc0-1.0"
    assert row.attribution == "EMMA | authors\n2025; The project"


def test_same_licence_is_named_once(items: list[ReleaseItem], parents: dict[str, Sample]) -> None:
    twice = items[4]._replace(donors=(parents["circuit"], parents["algebra"]))
    assert make_flawed_row(twice).licence == "mit AND cc0-1.0"


def test_missing_donor_is_an_error_that_names_it(items: list[ReleaseItem]) -> None:
    with pytest.raises(ExportError, match=re.escape(items[1].parent.id)):
        make_flawed_row(items[4]._replace(donors=()))


def test_wrong_parent_is_an_error_that_names_both(items: list[ReleaseItem]) -> None:
    with pytest.raises(ExportError, match=rf"{items[0].parent.id}.*{items[1].parent.id}"):
        make_flawed_row(items[0]._replace(parent=items[1].parent))


def test_sample_with_two_flaws_names_both(items: list[ReleaseItem]) -> None:
    first, second = items[0].candidate.flaws[0], items[0].candidate.flaws[0]
    second = second.model_copy(update={"subtype": Subtype.AMBIGUITY, "explanation": "Two readings."})
    candidate = items[0].candidate.model_copy(update={"flaws": (first, second)})
    row = make_flawed_row(ReleaseItem(candidate, items[0].parent))
    assert row.subtype == "intra_textual_contradiction+ambiguity"
    assert row.flaw == f"{first.explanation}\nTwo readings."
    assert row.generator == "rules"


def test_twins_are_every_parent_once_in_order_of_first_use(
    items: list[ReleaseItem], parents: dict[str, Sample]
) -> None:
    assert find_twins(items) == [parents["algebra"], parents["circuit"], parents["cells"]]


def test_all_models_and_families_that_touched_a_row_are_named_once(items: list[ReleaseItem]) -> None:
    item = items[0]
    (flaw,) = item.candidate.flaws
    made = [
        flaw.model_copy(update={"generator": generator, "families": families})
        for generator, families in (("openai:a+gemini:b", ("zhipu", "openai", "google")), ("openai:a", ("openai",)))
    ]
    parent = item.parent.model_copy(update={"families": ("zhipu",)})
    candidate = item.candidate.model_copy(update={"flaws": tuple(made), "parent": parent.id})
    row = make_flawed_row(ReleaseItem(candidate, parent))
    assert row.generator == "openai:a+gemini:b"
    assert row.families == ("zhipu", "openai", "google")
    assert make_twin_row(parent).families == ("zhipu",)
    assert make_flawed_row(item).families == ()


def test_twins_name_the_models_that_judged_them(items: list[ReleaseItem]) -> None:
    judged = [items[0]._replace(panel="openai:a", twin_panel="gemini:b+openai:c", valid_twin=True), *items[1:]]
    assert [row.panel for row in make_twin_rows(judged)] == ["gemini:b+openai:c", None, None]
