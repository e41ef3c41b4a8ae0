"""Spans that a model quotes become changes of exactly the quoted places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Language, Sample, Subject, TextPart
from injectors.base import Rejection, RejectionReason
from injectors.prompted.composing import compose
from injectors.prompted.replies import SpanEdit
from injectors.rewriting import Change, restore, rewrite

TEXT = "A red ball and a blue ball roll. The red ball has a mass of 2 kg."


def _sample(context: str | None, query: str | None = "How heavy is it?") -> Sample:
    return Sample(
        source="test", source_id="1", context=context, query=query, subject=Subject.PHYSICS,
        language=Language.ENGLISH, licence="CC0-1.0", attribution="test",
    )  # fmt: skip


def _edit(original: str, new: str, part: str = "context") -> SpanEdit:
    return SpanEdit.model_validate({"part": part, "original_span": original, "new_span": new})


def _compose(original: str, new: str, context: str = TEXT) -> tuple[str, str, str]:
    """The flawed context, and the one edit on record."""
    changes = compose(_sample(context), [_edit(original, new)])
    assert not isinstance(changes, Rejection)
    text, (edit,) = rewrite(context, changes)
    return text, edit.before, edit.after


@pytest.mark.parametrize(
    ("original", "new", "before", "after"),
    [
        pytest.param("has a mass of 2 kg", "has a mass of 5 kg", "2", "5", id="number"),
        pytest.param("mass of 2 kg", "mass of 2.5 kg", "2", "2.5", id="decimal_stays_whole"),
        pytest.param("a blue ball roll", "a ball roll", "blue ", "", id="deletion"),
        pytest.param("The red ball has", "The red ball is hot and has", "", "is hot and ", id="insertion"),
        pytest.param("The red ball has", "The floor is wet. The red ball has", "", "The floor is wet. ", id="sentence"),
        pytest.param("roll. The red", "roll. The floor is wet. The red", "", "The floor is wet. ", id="between"),
        pytest.param("of 2 kg.", "of 2 kg. It is hot.", "", " It is hot.", id="behind"),
        pytest.param("A red ball and", "Two balls and", "A red ball and", "Two balls and", id="mostly_replaced"),
    ],
)
def test_only_the_words_that_differ_are_recorded(original: str, new: str, before: str, after: str) -> None:
    text, recorded_before, recorded_after = _compose(original, new)
    assert text == TEXT.replace(original, new)
    assert (recorded_before, recorded_after) == (before, after)


def test_formulas_and_picture_tokens_are_never_cut() -> None:
    context = "In <image 1> we have $a_1 = 3$ and so on, for all that follows here."
    assert _compose("we have $a_1 = 3$ and so on", "we have $a_1 = 8$ and so on", context)[1:] == (
        "$a_1 = 3$",
        "$a_1 = 8$",
    )


@pytest.mark.parametrize(
    ("edits", "reason", "words"),
    [
        pytest.param([_edit("a green ball", "x")], RejectionReason.SPAN_NOT_FOUND, "does not stand", id="absent"),
        pytest.param([_edit("red ball", "x")], RejectionReason.SPAN_NOT_FOUND, "more than once", id="twice"),
        pytest.param([_edit("", "x")], RejectionReason.SPAN_NOT_FOUND, "quote the words beside", id="empty"),
        pytest.param([_edit("2 kg", "2 kg")], RejectionReason.NOTHING_CHANGED, "must differ", id="same"),
        pytest.param([], RejectionReason.NOTHING_CHANGED, "must differ", id="none"),
        pytest.param(
            [_edit("A red ball and", "No ball but"), _edit("ball and a blue", "box or a blue")],
            RejectionReason.SPAN_NOT_FOUND, "overlap", id="overlap",
        ),
    ],
)  # fmt: skip
def test_spans_that_cannot_be_used_are_refused_with_what_to_mend(
    edits: list[SpanEdit], reason: RejectionReason, words: str
) -> None:
    refused = compose(_sample(TEXT), edits)
    assert isinstance(refused, Rejection)
    assert refused.reason is reason
    assert words in refused.detail


def test_an_edit_of_a_part_that_is_absent_is_refused() -> None:
    refused = compose(_sample(None), [_edit("red", "blue")])
    assert refused == Rejection(RejectionReason.SPAN_NOT_FOUND, "the question has no context")


def test_edits_of_both_parts_count_in_their_own_part() -> None:
    changes = compose(_sample("It is red.", "Is it red?"), [_edit("red", "blue", "query"), _edit("red", "green")])
    assert changes == (Change(TextPart.CONTEXT, 6, 9, "green"), Change(TextPart.QUERY, 6, 9, "blue"))


@given(st.text(alphabet="ab $.,12。中\n", max_size=30), st.data())
def test_the_composed_text_is_the_source_with_the_new_span_in_place(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    original = text[start : data.draw(st.integers(start, len(text)))]
    new = data.draw(st.text(alphabet="ab $.,12。中\n", max_size=12))
    changes = compose(_sample(text), [_edit(original, new)])
    if isinstance(changes, Rejection):
        assert (
            text.count(original) != 1 or original == new or not original or text.find(original) != text.rfind(original)
        )
        return
    flawed, edits = rewrite(text, changes)
    assert flawed == text.replace(original, new)
    assert restore(flawed, edits) == text
