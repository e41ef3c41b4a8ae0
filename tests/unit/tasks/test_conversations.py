"""What is asked, asked again and given up when an injector puts a sample before a model."""

import asyncio
import random
from collections.abc import Callable

import pytest

from core.calls import Answer, AnswerStatus, Proposal, Role
from core.records import Language, Sample, Subject
from injectors.base import PromptContext, Rejection, RejectionReason
from tasks.conversations import converse

SAMPLE = Sample(
    source="test",
    source_id="1",
    context=None,
    query="How many?",
    subject=Subject.PHYSICS,
    language=Language.ENGLISH,
    licence="CC0-1.0",
    attribution="test",
)
FIRST = Proposal(role=Role.GENERATOR, prompt="p@1", prompt_hash="0", system="", parts=("first",))
SECOND = Proposal(
    role=Role.IMAGE_EDITOR, prompt="p@1", prompt_hash="0", system="", parts=("second",), wants_picture=True
)
WRONG = Rejection(RejectionReason.SPAN_NOT_FOUND, "`original_span` does not stand in the query")
Judge = Callable[[tuple[Answer, ...]], str | Rejection | Proposal]


class Asker:
    """Asks FIRST, and says of the replies what the test says."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        return FIRST

    def accept(self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext) -> str | Rejection | Proposal:
        return self._judge(answers)


def talk(judge: Judge, replies: list[str | AnswerStatus]) -> tuple[str | Rejection, list[Proposal]]:
    asked: list[Proposal] = []

    async def ask(proposal: Proposal) -> Answer:
        reply = replies[len(asked)]
        asked.append(proposal)
        status = reply if isinstance(reply, AnswerStatus) else AnswerStatus.OK
        return Answer(status=status, text=str(reply), model="m", family="f", call="c")

    context = PromptContext(random.Random(1), lambda picture: b"")
    return asyncio.run(converse(Asker(judge), SAMPLE, context, ask)), asked


def test_a_good_reply_is_asked_for_once() -> None:
    result, asked = talk(lambda answers: answers[-1].text, ["good"])
    assert (result, asked) == ("good", [FIRST])


def test_what_is_rejected_is_asked_once_more_with_the_reason() -> None:
    result, asked = talk(lambda answers: WRONG if answers[-1].text == "bad" else answers[-1].text, ["bad", "good"])
    assert result == "good"
    assert asked[1].parts == FIRST.parts
    assert asked[1].turns[0].said == "bad"
    assert WRONG.detail in asked[1].turns[0].told


def test_what_is_rejected_twice_is_given_up_with_its_reason() -> None:
    result, asked = talk(lambda answers: WRONG, ["bad", "bad"])
    assert (result, len(asked)) == (WRONG, 2)


def test_a_model_that_declines_is_not_asked_again() -> None:
    declined = Rejection(RejectionReason.MODEL_DECLINED, "no premise to attack")
    result, asked = talk(lambda answers: declined, ["no"])
    assert (result, len(asked)) == (declined, 1)


def test_a_second_step_sees_the_answers_of_the_first_and_has_its_own_second_try() -> None:
    def judge(answers: tuple[Answer, ...]) -> str | Rejection | Proposal:
        texts = [answer.text for answer in answers]
        if len(texts) == 1:
            return SECOND
        return WRONG if texts[-1] == "same picture" else "+".join(texts)

    result, asked = talk(judge, ["instruction", "same picture", "edited"])
    assert result == "instruction+edited"
    assert [proposal.role for proposal in asked] == [Role.GENERATOR, Role.IMAGE_EDITOR, Role.IMAGE_EDITOR]
    assert asked[2].turns == ()
    assert WRONG.detail in str(asked[2].parts[-1])


@pytest.mark.parametrize("status", [status for status in AnswerStatus if status is not AnswerStatus.OK])
def test_a_reply_that_is_not_ok_is_a_rejection_of_its_own_kind(status: AnswerStatus) -> None:
    result, asked = talk(lambda answers: "never", [status])
    assert isinstance(result, Rejection)
    assert result.reason == f"reply_{status}"
    assert len(asked) == 1
