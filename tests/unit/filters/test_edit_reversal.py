"""Edits on record, taken back, give the source; anything else that happened shows."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.records import Flaw, FlawedSample, Language, Sample, Subject, TextEdit, TextPart
from core.taxonomy import Subtype
from filters.base import DropReason
from filters.edit_reversal import check_reversal

TEXTS = st.text(alphabet="ab 图。<", max_size=12)
CUTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4), TEXTS), max_size=4)


def edit_text(text: str, cuts: list[tuple[int, int, str]]) -> tuple[str, tuple[TextEdit, ...]]:
    """Cuts from left to right, none touching another; each puts a text in place of some characters."""
    result, position = "", 0
    edits: list[TextEdit] = []
    for start, length, after in sorted(cuts):
        begin, stop = max(start, position), min(start + length, len(text))
        if begin > len(text) or stop < begin or text[begin:stop] == after:
            continue
        result += text[position:begin]
        edits.append(TextEdit(part=TextPart.QUERY, start=len(result), before=text[begin:stop], after=after))
        result += after
        position = stop
    return result + text[position:], tuple(edits)


def parent_with(query: str) -> Sample:
    values: dict[str, Any] = {"source": "t", "source_id": "1", "context": None, "query": query}
    return Sample(**values, subject=Subject.PHYSICS, language=Language.ENGLISH, licence="CC0", attribution="test")


def candidate_of(parent: Sample, query: str, edits: tuple[TextEdit, ...]) -> FlawedSample:
    flaw = Flaw(subtype=Subtype.AMBIGUITY, generator="rules", injector_version=1, edits=edits, explanation="test")
    return FlawedSample(parent=parent.id, context=None, query=query, flaws=(flaw,))


@given(text=TEXTS, cuts=CUTS)
def test_recorded_edits_taken_back_give_the_source(text: str, cuts: list[tuple[int, int, str]]) -> None:
    query, edits = edit_text(text, cuts)
    if query != text:
        parent = parent_with(text)
        assert check_reversal(candidate_of(parent, query, edits), parent) is None


@given(text=TEXTS, cuts=CUTS, place=st.integers(0, 30), letter=st.sampled_from("xyz"))
def test_one_more_letter_than_is_on_record_shows(
    text: str, cuts: list[tuple[int, int, str]], place: int, letter: str
) -> None:
    query, edits = edit_text(text, cuts)
    if edits:
        parent = parent_with(text)
        fault = check_reversal(candidate_of(parent, query[:place] + letter + query[place:], edits), parent)
        assert fault is not None
        assert fault.reason is DropReason.OTHER_CHANGE
