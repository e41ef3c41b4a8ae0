"""What the text of flawed questions tells beside that of the questions that they were made from."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Picture
from export.facts import ReleaseFacts
from export.measuring import flawed_blind_rows
from export.release import write_release
from export.rows import ReleaseItem, ReleaseRow, make_flawed_row, make_twin_rows
from linting.blind_checks import blind_rows
from linting.reading import read_data


@pytest.fixture
def twin() -> ReleaseRow:
    return ReleaseRow(
        id="smp_1",
        question="See <image 1>. How heavy is the block?",
        context="See <image 1>.",
        query="How heavy is the block?",
        options=(),
        images=(),
        subtype=None,
        primary_type=None,
        region=None,
        flaw=None,
        edits=None,
        masks=(),
        generator=None,
        families=(),
        panel=None,
        review=None,
        annotations=(),
        answer="2 kg",
        correct_options=(),
        source="own",
        source_id="1",
        subject="physics",
        language="en",
        licence="CC0-1.0",
        attribution="me",
        pair_id="smp_1",
    )


def flawed(twin: ReleaseRow, subtype: str, question: str, number: int = 1) -> ReleaseRow:
    return twin._replace(id=f"cnd_{number}", subtype=subtype, question=question)


def test_a_changed_text_stands_beside_the_one_that_it_was_made_from(twin: ReleaseRow) -> None:
    rows, untold = flawed_blind_rows([flawed(twin, "ambiguity", "See <image 1>. How heavy is that?")], [twin])
    assert [(row.text, row.label, row.group, row.subtype) for row in rows] == [
        ("See . How heavy is that?", False, "smp_1", "ambiguity"),
        ("See . How heavy is the block?", True, "smp_1", None),
    ]
    assert untold == {}


@pytest.mark.parametrize(
    ("subtype", "question", "why"),
    [
        ("light_missing_visual_premise", "See <image 1>. How heavy is the block?", "that of the twin"),
        ("inter_visual_contradiction", "See <image 1> <image 2>. How heavy is the block?", "that of the twin"),
        ("missing_image", "See image 1. How heavy is the block?", "pictures were taken away"),
        ("ambiguity+missing_image", "See image 1. How heavy is that?", "pictures were taken away"),
        ("missing_instruction", "", "text was taken away"),
    ],
)
def test_a_flaw_in_the_pictures_or_a_missing_part_tells_nothing_by_its_words(
    twin: ReleaseRow, subtype: str, question: str, why: str
) -> None:
    rows, untold = flawed_blind_rows([flawed(twin, subtype, question)], [twin])
    assert rows == []
    assert why in untold[subtype]


def test_twins_of_such_flaws_alone_are_not_compared(twin: ReleaseRow) -> None:
    other = twin._replace(id="smp_2", pair_id="smp_2")
    test = [
        flawed(twin, "ambiguity", "See <image 1>. How heavy is that?"),
        flawed(other, "mismatch", other.question, 2),
    ]
    rows, _ = flawed_blind_rows(test, [twin, other])
    assert {row.group for row in rows} == {"smp_1"}


def test_a_subtype_without_twins_is_said_to_have_none(twin: ReleaseRow) -> None:
    rows, untold = flawed_blind_rows([flawed(twin, "ambiguity", "What?")], [])
    assert (rows, untold) == ([], {"ambiguity": "no unmodified question beside it"})


def test_the_linter_looks_at_the_same_rows_of_a_release(
    items: list[ReleaseItem], facts: ReleaseFacts, folder: Path, read_picture: Callable[[Picture], bytes]
) -> None:
    write_release(items, facts, folder, read_picture)
    rows, _ = flawed_blind_rows([make_flawed_row(item) for item in items], make_twin_rows(items))
    assert [row.subtype for row in rows] == ["intra_textual_contradiction", None]
    assert blind_rows(read_data([str(folder)], {}).parts["test+twins"]) == rows
