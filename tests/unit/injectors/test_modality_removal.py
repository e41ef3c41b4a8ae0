"""Missing Image and Missing Instruction: what goes, what stays, and what is refused (M-14, A6, A7)."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pictures import Pixels
from core.recipe import MissingInstructionRecipe
from core.records import Language, Picture, PictureRemoval, Sample, Subject, TextPart, TextRemoval
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.modality_removal import MISSING_IMAGE, MISSING_INSTRUCTION

PICTURES = tuple(Picture(sha256=f"{n:064x}", media_type="image/png", width=20, height=20) for n in range(9))


def no_pixels(picture: Picture) -> Pixels:
    raise AssertionError(f"{picture} was read: removal needs no pixels")


def context(mode: str = "all_text") -> InjectionContext:
    recipe = MissingInstructionRecipe.model_validate({"mode": mode})
    return InjectionContext(random.Random(1), no_pixels, missing_instruction=recipe)


def make_sample(**changes: Any) -> Sample:
    values: dict[str, Any] = {
        "source": "test",
        "source_id": "1",
        "context": "A ladder leans on a wall as shown in <image 1>.",
        "query": "How high does it reach?",
        "options": ("2 m", "3 m"),
        "pictures": PICTURES[:1],
        "answer": "3 m",
        "correct_options": (1,),
        "subject": Subject.PHYSICS,
        "language": Language.ENGLISH,
        "licence": "CC0",
        "attribution": "test",
    }
    return Sample.model_validate(values | changes)


def accepted(result: Injection | Rejection) -> Injection:
    assert isinstance(result, Injection), result
    return result


def refused(result: Injection | Rejection) -> RejectionReason:
    assert isinstance(result, Rejection), result
    return result.reason


def test_missing_image_drops_all_pictures_and_keeps_the_text_readable() -> None:
    sample = make_sample(pictures=PICTURES[:2], query="Compare it with <image 2>. How high is it?")
    candidate = accepted(MISSING_IMAGE.apply(sample, context())).candidate
    assert candidate.pictures == ()
    assert candidate.context == "A ladder leans on a wall as shown in image 1."
    assert candidate.query == "Compare it with image 2. How high is it?"
    assert candidate.options == sample.options
    assert candidate.parent == sample.id


def test_missing_image_records_what_it_took() -> None:
    sample = make_sample(pictures=PICTURES[:5])
    flaw = accepted(MISSING_IMAGE.apply(sample, context())).candidate.flaws[0]
    assert flaw.subtype is Subtype.MISSING_IMAGE
    assert flaw.generator == "rules"
    assert flaw.edits[-1] == PictureRemoval(before=PICTURES[:5])
    assert "5 pictures" in flaw.explanation


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"pictures": ()}, RejectionReason.NO_PICTURE),
        ({"question_in_picture": True}, RejectionReason.QUESTION_IN_PICTURE),
        ({"context": None, "query": "  "}, RejectionReason.NO_TEXT),
        ({"context": None, "query": "What is 2 + 2?"}, RejectionReason.TEXT_DOES_NOT_NEED_PICTURE),
        ({"options": ("<image 1>", "none")}, RejectionReason.OPTION_IS_PICTURE),
        ({"options": ("<image 1> and <image 2>", "5"), "pictures": PICTURES[:2]}, RejectionReason.OPTION_IS_PICTURE),
        ({"options": ("5 <image 1>", "5"), "answer": "5"}, RejectionReason.OPTION_IS_PICTURE),
    ],
    ids=[
        "no picture",
        "question in picture",
        "no text",
        "decorative picture",
        "token option",
        "token list",
        "options become equal",
    ],
)
def test_missing_image_refuses_what_would_not_lack_a_picture(changes: dict[str, Any], reason: RejectionReason) -> None:
    assert refused(MISSING_IMAGE.apply(make_sample(**changes), context())) is reason


def test_missing_instruction_drops_every_text_and_keeps_every_picture() -> None:
    sample = make_sample(pictures=PICTURES[:5])
    candidate = accepted(MISSING_INSTRUCTION.apply(sample, context())).candidate
    assert (candidate.context, candidate.query, candidate.options) == (None, None, ())
    assert candidate.pictures == sample.pictures
    assert candidate.flaws[0].edits == tuple(
        TextRemoval(part=part) for part in (TextPart.CONTEXT, TextPart.QUERY, TextPart.OPTIONS)
    )


def test_missing_instruction_records_only_what_was_there() -> None:
    sample = make_sample(context=None, query="How high in <image 1>?", options=(), answer=None, correct_options=())
    candidate = accepted(MISSING_INSTRUCTION.apply(sample, context())).candidate
    assert candidate.flaws[0].edits == (TextRemoval(part=TextPart.QUERY),)


def test_query_only_keeps_the_context_and_its_tokens() -> None:
    sample = make_sample()
    candidate = accepted(MISSING_INSTRUCTION.apply(sample, context("query_only"))).candidate
    assert candidate.context == sample.context
    assert (candidate.query, candidate.options) == (None, ())
    assert candidate.pictures == sample.pictures


@pytest.mark.parametrize(
    ("changes", "mode", "reason"),
    [
        ({"pictures": ()}, "all_text", RejectionReason.NO_PICTURE),
        ({"question_in_picture": True}, "all_text", RejectionReason.QUESTION_IN_PICTURE),
        ({"context": None, "query": None}, "all_text", RejectionReason.NO_TEXT),
        ({"context": None}, "query_only", RejectionReason.NO_CONTEXT),
        ({"context": "<image 1>"}, "query_only", RejectionReason.NO_CONTEXT),
        ({"context": "Is it high? It is."}, "query_only", RejectionReason.NO_CONTEXT),
        ({"query": None}, "query_only", RejectionReason.NO_TEXT),
    ],
    ids=["no picture", "question in picture", "no text", "no context", "token only", "context asks", "no query"],
)
def test_missing_instruction_refuses_what_would_leave_a_task_or_nothing(
    changes: dict[str, Any], mode: str, reason: RejectionReason
) -> None:
    assert refused(MISSING_INSTRUCTION.apply(make_sample(**changes), context(mode))) is reason


@given(
    text=st.text(max_size=40),
    count=st.integers(0, 9),
    tokens=st.lists(st.integers(1, 9), max_size=3),
)
def test_whatever_comes_in_the_sample_stays_as_it_is_and_the_result_is_the_same_again(
    text: str, count: int, tokens: list[int]
) -> None:
    query = text + "".join(f" <image {number}>" for number in tokens if number <= count)
    sample = make_sample(context=None, query=query, pictures=PICTURES[:count])
    before = sample.model_dump()
    for injector in (MISSING_IMAGE, MISSING_INSTRUCTION):
        first, second = injector.apply(sample, context()), injector.apply(sample, context())
        assert first == second
        if isinstance(first, Injection):
            assert "<image" not in (first.candidate.query or "").replace(text, "")
    assert sample.model_dump() == before
