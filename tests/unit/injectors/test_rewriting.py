"""The record of a text change always leads back to the source text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Language, Sample, Subject, TextEdit, TextPart, TextRemoval
from core.taxonomy import Subtype
from injectors.rewriting import Change, Rewriting, make_injection, restore, rewrite

QUERY = TextPart.QUERY


@st.composite
def changed_texts(draw: st.DrawFn) -> tuple[str, list[Change]]:
    text = draw(st.text(max_size=40))
    edges = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    return text, [Change(QUERY, start, end, draw(st.text(max_size=6))) for start, end in pairs]


@given(changed_texts())
def test_restoring_gives_the_source_text_back(case: tuple[str, list[Change]]) -> None:
    text, changes = case
    flawed, edits = rewrite(text, changes)
    assert restore(flawed, edits) == text
    assert all(flawed[edit.start : edit.start + len(edit.after)] == edit.after for edit in edits)


def test_offsets_count_in_the_flawed_text() -> None:
    flawed, edits = rewrite("a red car and a red bus", [Change(QUERY, 2, 5, "purple"), Change(QUERY, 16, 19, "pink")])
    assert flawed == "a purple car and a pink bus"
    assert [(edit.start, edit.before, edit.after) for edit in edits] == [(2, "red", "purple"), (19, "red", "pink")]


def test_a_change_to_the_same_words_leaves_no_edit() -> None:
    assert rewrite("one two", [Change(QUERY, 0, 3, "one")]) == ("one two", ())


def test_overlapping_changes_are_refused() -> None:
    with pytest.raises(ValueError, match="begins before 4"):
        rewrite("abcdef", [Change(QUERY, 0, 4, "x"), Change(QUERY, 3, 5, "y")])


def test_an_edit_that_does_not_fit_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match="at 1 stands 'bc', not 'xx'"):
        restore("abc", [TextEdit(part=QUERY, start=1, before="", after="xx")])


def test_a_flawed_sample_records_both_parts_and_the_options() -> None:
    sample = Sample(
        source="test", source_id="1", context="Two cars.", query="Which?", options=("A car",), subject=Subject.PHYSICS,
        language=Language.ENGLISH, licence="CC0-1.0", attribution="test",
    )  # fmt: skip
    changes = (Change(TextPart.CONTEXT, 0, 3, "Six"), Change(QUERY, 0, 5, "Who"))
    candidate = make_injection(sample, Subtype.AMBIGUITY, 3, Rewriting(changes, "why", drop_options=True)).candidate
    assert (candidate.context, candidate.query, candidate.options) == ("Six cars.", "Who?", ())
    assert candidate.parent == sample.id
    flaw = candidate.flaws[0]
    assert (flaw.generator, flaw.injector_version, flaw.families, flaw.explanation) == ("rules", 3, (), "why")
    assert flaw.edits == (
        TextEdit(part=TextPart.CONTEXT, start=0, before="Two", after="Six"),
        TextEdit(part=QUERY, start=0, before="Which", after="Who"),
        TextRemoval(part=TextPart.OPTIONS),
    )
