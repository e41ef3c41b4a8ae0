"""Two questions, a reply to the first for each subtype that has texts rewritten, and the way through `accept`."""

import random
from collections.abc import Callable

import pytest

from core.calls import Answer, AnswerStatus, Proposal
from core.records import Language, Picture, Sample, Subject
from core.taxonomy import Subtype
from injectors.base import Injection, PromptContext, Rejection
from injectors.prompted.ambiguity import AMBIGUITY
from injectors.prompted.beyond_capability import BEYOND_CAPABILITY
from injectors.prompted.cross_modal_contradiction import CROSS_MODAL_CONTRADICTION
from injectors.prompted.intra_textual_contradiction import INTRA_TEXTUAL_CONTRADICTION
from injectors.prompted.unclear_intent import UNCLEAR_INTENT

Fields = dict[str, object]
Accept = Callable[[Subtype, Fields, Sample], Injection | Rejection]

TEXT_FLAWS = (AMBIGUITY, UNCLEAR_INTENT, CROSS_MODAL_CONTRADICTION, INTRA_TEXTUAL_CONTRADICTION, BEYOND_CAPABILITY)
PICTURE = Picture(sha256="0" * 64, media_type="image/png", width=100, height=80)
ENGLISH = Sample(
    source="test",
    source_id="en",
    context=(
        "In <image 1> a red wheel with $r_1 = 4$ cm turns a blue wheel with $r_2 = 6$ cm. The red wheel turns at 30 Hz."
    ),
    query="How fast does the blue wheel turn?",
    options=("20 Hz", "30 Hz", "45 Hz"),
    pictures=(PICTURE,),
    answer="20 Hz",
    correct_options=(0,),
    subject=Subject.ENGINEERING,
    language=Language.ENGLISH,
    licence="CC0-1.0",
    attribution="test",
)
CHINESE = Sample(
    source="test",
    source_id="zh",
    context="<image 1>中红色小球的质量为 2 kg，蓝色小球的质量为 3 kg。",
    query="红色小球受到的重力是多少？",
    pictures=(PICTURE,),
    answer="20 N",
    subject=Subject.PHYSICS,
    language=Language.CHINESE,
    licence="CC0-1.0",
    attribution="test",
)
WHY: Fields = {
    "premise": "p",
    "possible": True,
    "why_unanswerable": "w",
    "answerability_argument": "a",
    "drop_options": False,
}
READINGS = [{"meaning": "red", "answer": "30 Hz"}, {"meaning": "blue", "answer": "20 Hz"}]


@pytest.fixture
def wheels() -> Sample:
    return ENGLISH


@pytest.fixture
def balls() -> Sample:
    return CHINESE


@pytest.fixture
def prompt_context() -> PromptContext:
    return PromptContext(random.Random(1), lambda picture: b"", few_shot=0)


@pytest.fixture
def accept(prompt_context: PromptContext) -> Accept:
    """The reply as a record of its subtype, held against the sample."""
    injectors = {one.subtype: one for one in TEXT_FLAWS}

    def hold(subtype: Subtype, reply: Fields, sample: Sample) -> Injection | Rejection:
        value = injectors[subtype].reply.model_validate(reply)
        answer = Answer(AnswerStatus.OK, "", "gemini:writer", "google", "cal_1", value=value)
        accepted = injectors[subtype].accept(sample, (answer,), prompt_context)
        assert not isinstance(accepted, Proposal)
        return accepted

    return hold


@pytest.fixture
def good_replies() -> dict[Subtype, Fields]:
    return {
        Subtype.AMBIGUITY: AMBIGUOUS,
        Subtype.UNCLEAR_INTENT: UNCLEAR,
        Subtype.CROSS_MODAL_CONTRADICTION: CROSS,
        Subtype.INTRA_TEXTUAL_CONTRADICTION: INTRA,
        Subtype.BEYOND_CAPABILITY: BEYOND,
    }


def _edit(original: str, new: str, part: str = "context") -> dict[str, str]:
    return {"part": part, "original_span": original, "new_span": new}


AMBIGUOUS: Fields = {**WHY, "edits": [_edit("the blue wheel", "the wheel", "query")], "readings": READINGS}
UNCLEAR: Fields = {
    **WHY,
    "drop_options": True,
    "edits": [_edit("How fast does the blue wheel turn?", "Please use the blue wheel.", "query")],
    "goal": "How fast",
}
CROSS: Fields = {
    **WHY,
    "edits": [_edit("$r_2 = 6$ cm", "$r_2 = 8$ cm")],
    "picture": 1,
    "text_states": "$r_2 = 8$ cm",
    "picture_shows": "6 cm",
}
INTRA: Fields = {
    **WHY,
    "edits": [_edit("at 30 Hz.", "at 30 Hz. Every second it turns 45 times.")],
    "statement_kept": "The red wheel turns at 30 Hz",
    "statement_new": "Every second it turns 45 times.",
}
BEYOND: Fields = {
    **WHY,
    "drop_options": True,
    "kind": "future",
    "unknowable": "a day",
    "edits": [_edit("How fast does the blue wheel turn?", "On which day will the blue wheel break?", "query")],
}
