"""What a model has to reply, one record for each kind of question. Models name exact words and what stands in their
place; the texts are put together by code, so that nothing else can change. No field has a default: providers that
hold a reply to its schema want every field filled."""

from typing import Literal

from pydantic import Field

from core.records import Record

_LONGEST_TEXT = 40_000


class SpanEdit(Record):
    """`original_span` stands exactly once in that part and becomes `new_span`. To insert, quote the words beside the
    place in both. Options are never edited: a changed wrong option breaks nothing, a changed right one is no flaw."""

    part: Literal["context", "query"]
    original_span: str = Field(max_length=_LONGEST_TEXT)
    new_span: str = Field(max_length=_LONGEST_TEXT)


class TextFlawReply(Record):
    """The common part of all text flaws (M-11, M-17). `premise` is what the flaw attacks; `possible` is False when the
    model declines, and then nothing else counts. `answerability_argument`: the strongest argument that the
    question can still be answered, and why it fails."""

    premise: str = Field(max_length=1000)
    possible: bool
    edits: tuple[SpanEdit, ...] = Field(max_length=8)
    drop_options: bool
    why_unanswerable: str = Field(max_length=2000)
    answerability_argument: str = Field(max_length=2000)


class Reading(Record):
    """One way to read the new wording, and the answer that it leads to."""

    meaning: str = Field(max_length=500)
    answer: str = Field(max_length=500)


class AmbiguityReply(TextFlawReply):
    readings: tuple[Reading, ...] = Field(max_length=5)


class UnclearIntentReply(TextFlawReply):
    """`goal` quotes the words of the source query that say what is to be found."""

    goal: str = Field(max_length=2000)


class CrossModalContradictionReply(TextFlawReply):
    """`picture` counts from 1. `text_states` quotes the changed text, `picture_shows` says what is seen instead."""

    picture: int = Field(ge=0, le=9)
    text_states: str = Field(max_length=1000)
    picture_shows: str = Field(max_length=1000)


class IntraTextualContradictionReply(TextFlawReply):
    """`statement_kept` quotes what stays of the source text, `statement_new` the statement that conflicts with it, as
    both stand in the changed text."""

    statement_kept: str = Field(max_length=1000)
    statement_new: str = Field(max_length=1000)


class BeyondCapabilityReply(TextFlawReply):
    """`unknowable` names the fact that is asked for, and `kind` why nobody has it."""

    kind: Literal["future", "absent_thing", "never_recorded"]
    unknowable: str = Field(max_length=500)


class Box(Record):
    """Where in a picture, in fractions of its width and height from the upper left corner."""

    left: float = Field(ge=0, le=1)
    top: float = Field(ge=0, le=1)
    right: float = Field(ge=0, le=1)
    bottom: float = Field(ge=0, le=1)


class PictureEditReply(Record):
    """What an image editor is told (M-12). `changes_from` and `changes_to`: what the place shows before and after."""

    premise: str = Field(max_length=1000)
    possible: bool
    instruction: str = Field(max_length=2000)
    changes_from: str = Field(max_length=500)
    changes_to: str = Field(max_length=500)
    box: Box
    why_unanswerable: str = Field(max_length=2000)
    answerability_argument: str = Field(max_length=2000)


class RewritingReply(Record):
    """Whole texts with the same meaning (M-7); None where the source has none."""

    possible: bool
    context: str | None = Field(max_length=_LONGEST_TEXT)
    query: str | None = Field(max_length=_LONGEST_TEXT)
