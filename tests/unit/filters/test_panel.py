"""Two votes a validator, and a decision that any rule can make again from them."""

from itertools import product
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.calls import Answer, AnswerStatus
from core.records import Flaw, FlawedSample, Stage, TextEdit, TextPart
from core.taxonomy import Subtype
from core.votes import Criterion, Verdict, Vote
from filters.base import DropReason
from filters.panel import decide_by_votes, read_votes

PASS, FAIL, UNPARSED = Verdict.PASS, Verdict.FAIL, Verdict.UNPARSED
TYPE, UNANSWERABLE = Criterion.TYPE_COMPLIANCE, Criterion.UNANSWERABILITY
Ballot = tuple[Verdict, Verdict]
Rule = Literal["all", "any", "majority"]

BOTH: Ballot = (PASS, PASS)
WRONG: Ballot = (FAIL, PASS)
SOLVED: Ballot = (PASS, FAIL)
MUTE: Ballot = (UNPARSED, UNPARSED)

FLAW = Flaw(
    subtype=Subtype.AMBIGUITY,
    generator="rules",
    injector_version=1,
    edits=(TextEdit(part=TextPart.QUERY, start=0, before="How high", after="How big"),),
    explanation="test",
)
CANDIDATE = FlawedSample(parent="smp_1", context=None, query="How big is it?", flaws=(FLAW,))


def votes_of(*ballots: Ballot) -> list[Vote]:
    return [
        Vote(
            item=CANDIDATE.id,
            subtype=CANDIDATE.subtype,
            criterion=criterion,
            verdict=verdict,
            model=f"openai:{index}",
            family=f"family-{index}",
            call=f"cal_{index}",
        )
        for index, ballot in enumerate(ballots)
        for criterion, verdict in zip((TYPE, UNANSWERABLE), ballot, strict=True)
    ]


def decide(rule: Rule, *ballots: Ballot) -> DropReason | None:
    decision = decide_by_votes(CANDIDATE, votes_of(*ballots), rule)
    assert decision.stage is Stage.PANEL
    assert decision.decided_by == f"panel:{rule}@1"
    assert decision.item == CANDIDATE.id
    assert decision.output == (CANDIDATE.id if decision.keep else None)
    assert decision.keep is (decision.reason is None)
    assert decision.evidence
    return None if decision.reason is None else DropReason(decision.reason)


def test_a_reply_gives_one_vote_on_each_criterion() -> None:
    answer = Answer(AnswerStatus.OK, "Why.\nTYPE: PASS\nUNANSWERABLE: FAIL", "openai:gpt", "openai", "cal_7")
    first, second = read_votes(CANDIDATE, answer)
    assert (first.criterion, first.verdict) == (TYPE, PASS)
    assert (second.criterion, second.verdict) == (UNANSWERABLE, FAIL)
    for vote in (first, second):
        assert (vote.item, vote.subtype) == (CANDIDATE.id, Subtype.AMBIGUITY)
        assert (vote.model, vote.family, vote.call) == ("openai:gpt", "openai", "cal_7")
        assert vote.evidence.startswith("Why.")


@pytest.mark.parametrize("status", [status for status in AnswerStatus if status is not AnswerStatus.OK])
def test_no_usable_reply_is_two_unparsed_votes(status: AnswerStatus) -> None:
    votes = read_votes(CANDIDATE, Answer(status, "TYPE: PASS\nUNANSWERABLE: PASS", "m", "f", "cal_7"))
    assert [vote.verdict for vote in votes] == [UNPARSED, UNPARSED]
    assert all(status.value in vote.evidence for vote in votes)


@pytest.mark.parametrize(
    ("rule", "ballots", "expected"),
    [
        ("all", (BOTH, BOTH), None),
        ("all", (BOTH, WRONG), DropReason.WRONG_TYPE),
        ("all", (SOLVED, BOTH), DropReason.ANSWERABLE),
        ("all", (SOLVED, WRONG), DropReason.WRONG_TYPE),
        ("all", (BOTH, MUTE), DropReason.UNPARSED_VOTES),
        ("all", (SOLVED, MUTE), DropReason.ANSWERABLE),
        ("all", (BOTH, BOTH, WRONG), DropReason.WRONG_TYPE),
        ("any", (BOTH, WRONG), None),
        ("any", (BOTH, MUTE), None),
        ("any", (WRONG, SOLVED), DropReason.WRONG_TYPE),
        ("any", (MUTE, MUTE), DropReason.UNPARSED_VOTES),
        ("majority", (BOTH, BOTH, WRONG), None),
        ("majority", (BOTH, BOTH, MUTE), None),
        ("majority", (BOTH, SOLVED), DropReason.ANSWERABLE),
        ("majority", (BOTH, SOLVED, MUTE), DropReason.ANSWERABLE),
    ],
)
def test_the_rule_decides(rule: Rule, ballots: tuple[Ballot, ...], expected: DropReason | None) -> None:
    assert decide(rule, *ballots) is expected


def test_two_validators_who_each_pass_one_criterion_keep_nothing() -> None:
    assert decide("any", (PASS, FAIL), (FAIL, PASS)) is DropReason.WRONG_TYPE


@pytest.mark.parametrize("rule", ["all", "any", "majority"])
@pytest.mark.parametrize("ballots", [(), (BOTH,)], ids=["nobody", "one"])
def test_fewer_than_two_validators_decide_nothing(rule: Rule, ballots: tuple[Ballot, ...]) -> None:
    assert decide(rule, *ballots) is DropReason.NO_VALIDATOR


def test_a_vote_that_is_not_there_is_not_passed() -> None:
    assert decide_by_votes(CANDIDATE, votes_of(BOTH, BOTH)[:3], "all").reason == DropReason.UNPARSED_VOTES


def test_votes_on_other_items_and_on_validity_do_not_count() -> None:
    others = [vote.model_copy(update={"item": "cnd_other"}) for vote in votes_of(WRONG, SOLVED)]
    twin = [vote.model_copy(update={"criterion": Criterion.VALIDITY}) for vote in votes_of(MUTE, MUTE)]
    assert decide_by_votes(CANDIDATE, [*others, *votes_of(BOTH, BOTH), *twin], "all").keep


@pytest.mark.parametrize("rule", ["all", "any", "majority"])
def test_of_votes_of_one_model_that_disagree_the_harshest_counts(rule: Rule) -> None:
    votes = [*votes_of(BOTH, BOTH), *votes_of(SOLVED, SOLVED), *votes_of(MUTE, MUTE)]
    assert decide_by_votes(CANDIDATE, votes, rule).reason == DropReason.ANSWERABLE
    assert decide_by_votes(CANDIDATE, [*votes_of(BOTH, BOTH), *votes_of(MUTE, MUTE)], rule).reason == "unparsed_votes"


def test_the_evidence_names_every_validator_and_what_it_said() -> None:
    decision = decide_by_votes(CANDIDATE, votes_of(BOTH, (FAIL, UNPARSED)), "all")
    assert decision.evidence == (
        "openai:0: type_compliance pass, unanswerability pass; openai:1: type_compliance fail, unanswerability unparsed"
    )


ballots = st.lists(st.tuples(st.sampled_from(Verdict), st.sampled_from(Verdict)), min_size=2, max_size=4)


@given(ballots, st.sampled_from(["all", "any", "majority"]), st.randoms(use_true_random=False))
def test_the_order_of_the_votes_never_matters(cast: list[Ballot], rule: Rule, random: Any) -> None:
    votes = votes_of(*cast)
    again = random.sample([*votes, *votes], 2 * len(votes))
    assert decide_by_votes(CANDIDATE, again, rule) == decide_by_votes(CANDIDATE, votes, rule)


def test_looser_rules_keep_all_that_stricter_ones_keep() -> None:
    for cast in product(product(Verdict, repeat=2), repeat=3):
        kept = [decide(rule, *cast) is None for rule in ("all", "majority", "any")]
        assert kept == sorted(kept)
        assert kept[0] is all(ballot == BOTH for ballot in cast)
        assert kept[2] is (BOTH in cast)
