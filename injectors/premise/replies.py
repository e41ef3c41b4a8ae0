"""What a model has to reply at each stage, one record for each. "No" is a field: text that says so is no reply. Spans
are quoted, since models cannot count characters; code finds their place. No field has a default: providers that
hold a reply to its schema want every field filled."""

from pydantic import Field

from core.records import Record

_PHRASE = 300
_TEXT = 2000


class ExtractionReply(Record):
    """`present` False is the NO of the paper (J-2), and then nothing else counts. `where` says how it is seen."""

    present: bool
    premise: str = Field(max_length=_PHRASE)
    where: str = Field(max_length=_PHRASE)


class CaptionReply(Record):
    """`span` is the premise as it stands in `caption` (J-3)."""

    caption: str = Field(max_length=_TEXT)
    span: str = Field(max_length=_PHRASE)


class PairReply(Record):
    """`frame` is one question with the slot in place of the premise; `replacement` fits the same slot. `answer` is what
    the question asks for, by the caption. `possible` is False when the model declines."""

    possible: bool
    replacement: str = Field(max_length=_PHRASE)
    frame: str = Field(max_length=_TEXT)
    answer: str = Field(max_length=_PHRASE)


class PositiveReply(Record):
    """`span` is the premise as it stands in `question` (J-4)."""

    possible: bool
    question: str = Field(max_length=_TEXT)
    span: str = Field(max_length=_PHRASE)
    answer: str = Field(max_length=_PHRASE)


class NegativeReply(Record):
    """`span` is the replacement as it stands in `question` (J-4)."""

    possible: bool
    replacement: str = Field(max_length=_PHRASE)
    question: str = Field(max_length=_TEXT)
    span: str = Field(max_length=_PHRASE)
    answer: str = Field(max_length=_PHRASE)


QuestionReply = PairReply | PositiveReply | NegativeReply


class AnswerReply(Record):
    """The analysis and what is said after it (J-7), without tags."""

    think: str = Field(max_length=4000)
    answer: str = Field(max_length=_TEXT)
