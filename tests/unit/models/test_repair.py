"""What is asked after a reply that cannot be used."""

import pytest

from core.calls import AnswerStatus, Proposal, Role, Turn
from core.model_specs import ModelSpec, Parameters
from models.reading import Reading
from models.repair import Question, mend

QUESTION = Question(Proposal(Role.GENERATOR, "p@1", "0" * 64, "system", ("text",)), draw=3)
SPEC = ModelSpec(provider="openai", name="m", family="f", parameters=Parameters(max_tokens=100, seed=7))


def after(status: AnswerStatus, question: Question = QUESTION) -> Question | None:
    return mend(question, Reading(status, None, "the key 'a' stands twice"), "what was said")


def test_a_cut_reply_is_asked_for_with_twice_the_room_and_only_once() -> None:
    following = after(AnswerStatus.TRUNCATED)
    assert following is not None
    assert following.request(SPEC).parameters == Parameters(max_tokens=200, seed=7)
    assert following.request(SPEC).messages == QUESTION.request(SPEC).messages
    assert after(AnswerStatus.TRUNCATED, following) is None


def test_an_empty_reply_is_drawn_again() -> None:
    following = after(AnswerStatus.EMPTY)
    assert following is not None
    assert following.request(SPEC) == QUESTION.request(SPEC).model_copy(update={"draw": 4})


def test_a_malformed_reply_is_shown_with_its_fault() -> None:
    following = after(AnswerStatus.UNPARSABLE)
    assert following is not None
    (turn,) = following.proposal.turns
    assert turn == Turn("what was said", turn.told)
    assert "the key 'a' stands twice" in turn.told


def test_more_room_stays_when_the_longer_reply_is_malformed() -> None:
    longer = after(AnswerStatus.TRUNCATED)
    assert longer is not None
    mended = after(AnswerStatus.UNPARSABLE, longer)
    assert mended is not None
    assert mended.request(SPEC).parameters.max_tokens == 200


@pytest.mark.parametrize("status", [AnswerStatus.OK, AnswerStatus.REFUSED, AnswerStatus.FAILED])
def test_there_is_no_second_ask(status: AnswerStatus) -> None:
    assert after(status) is None
