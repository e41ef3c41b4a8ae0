"""An unmodified question is a valid twin when two models say so, and only then."""

from typing import Any

import pytest

from core.calls import Answer, AnswerStatus, Role
from core.records import Picture
from core.taxonomy import Subtype
from core.votes import Criterion, Verdict, Vote
from filters.twins import is_valid, propose_twin, read_twin_vote

Bench = Any


def vote(verdict: Verdict, model: str = "openai:gpt", criterion: Criterion = Criterion.VALIDITY) -> Vote:
    return Vote(
        item="smp_1",
        subtype=Subtype.MISMATCH,
        criterion=criterion,
        verdict=verdict,
        model=model,
        family=model.partition(":")[0],
        call="cal_1",
    )


PASS, OTHER_PASS = vote(Verdict.PASS), vote(Verdict.PASS, "google:gemini")


def test_the_question_is_shown_without_its_answer_and_without_any_flaw(bench: Bench) -> None:
    proposal = propose_twin(bench.sample(answer="a secret length", correct_options=(), options=()))
    text = "".join(part if isinstance(part, str) else "[picture]" for part in proposal.parts)
    assert (
        "<<<item>>>\nThe ladder in <image 1>[picture] is 5 m long.\n\nHow high does it reach?\n<<<end item>>>" in text
    )
    assert "secret" not in text
    assert not any(subtype.replace("_", " ") in text for subtype in Subtype if subtype is not Subtype.AMBIGUITY)
    assert text.splitlines()[-1] == "VALID: PASS|FAIL"
    assert (proposal.role, proposal.prompt, proposal.reply) == (Role.VALIDATOR, "twin@1", None)


def test_a_question_that_stands_in_its_picture_is_shown_too(bench: Bench) -> None:
    proposal = propose_twin(bench.sample(context=None, query=None, options=(), correct_options=()))
    assert sum(isinstance(part, Picture) for part in proposal.parts) == 1


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        ("It is sound.\nVALID: PASS", AnswerStatus.OK, Verdict.PASS),
        ("缺少数据。\n**VALID：FAIL**", AnswerStatus.OK, Verdict.FAIL),
        ("VALID: YES", AnswerStatus.OK, Verdict.UNPARSED),
        ("VALID: PASS", AnswerStatus.TRUNCATED, Verdict.UNPARSED),
    ],
)
def test_the_verdict_is_a_vote_on_validity(bench: Bench, text: str, status: AnswerStatus, expected: Verdict) -> None:
    answer = Answer(status, text, "openai:gpt", "openai", "cal_9")
    given = read_twin_vote(bench.parent, Subtype.MISMATCH, answer)
    assert (given.item, given.subtype, given.criterion) == (bench.parent.id, Subtype.MISMATCH, Criterion.VALIDITY)
    assert (given.verdict, given.model, given.call) == (expected, "openai:gpt", "cal_9")


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([], False),
        ([PASS], False),
        ([PASS, PASS], False),
        ([PASS, OTHER_PASS], True),
        ([PASS, vote(Verdict.FAIL, "google:gemini")], False),
        ([PASS, vote(Verdict.UNPARSED, "google:gemini")], False),
        ([PASS, OTHER_PASS, vote(Verdict.FAIL, "anthropic:claude")], False),
        ([PASS, vote(Verdict.PASS, "google:gemini", Criterion.UNANSWERABILITY)], False),
    ],
    ids=["none", "one", "one twice", "two", "one fails", "one unparsed", "a third fails", "another criterion"],
)
def test_two_models_must_pass_it_and_none_may_not(votes: list[Vote], expected: bool) -> None:
    assert is_valid(votes) is expected
