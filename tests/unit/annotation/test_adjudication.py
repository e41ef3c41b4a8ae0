"""Verdicts to outcomes: the third annotator decides what is disputed and nothing else."""

import pytest

from annotation.adjudication import decide, find_disputed, find_disputes, gather, is_stuck
from core.review import BOTH_CRITERIA, Assignment, Flag, Judged, Judgement, Round
from core.taxonomy import Subtype
from core.votes import Criterion

P, F, U = Judged.PASS, Judged.FAIL, Judged.UNSURE
TYPE, UNANSWERABLE = BOTH_CRITERIA
Pair = tuple[Judged | None, Judged | None]


def assign(
    annotator: str, round_: Round = Round.FIRST, item: str = "cnd_1", criteria: tuple[Criterion, ...] = BOTH_CRITERIA
) -> Assignment:
    return Assignment(item=item, subtype=Subtype.MISMATCH, round=round_, annotator=annotator, criteria=criteria)


def judge(annotator: str, verdicts: Pair, round_: Round = Round.FIRST, flags: tuple[Flag, ...] = ()) -> Judgement:
    return Judgement(
        item="cnd_1",
        round=round_,
        annotator=annotator,
        type_compliance=verdicts[0],
        unanswerability=verdicts[1],
        flags=flags,
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created="2026-01-02T00:00:00+00:00",
        updated="2026-01-02T00:00:00+00:00",
    )


ALL = ["ann1", "ann2", "ann3"]
TWO = [assign("ann1"), assign("ann2")]


@pytest.mark.parametrize(
    ("first", "second", "third", "disputed", "decided", "accepted"),
    [
        ((P, P), (P, P), None, (), (P, P), True),
        ((P, F), (P, F), None, (), (P, F), False),
        ((P, P), (P, F), None, (UNANSWERABLE,), (P, None), None),
        ((P, P), (P, F), (F, P), (UNANSWERABLE,), (P, P), True),
        ((P, P), (P, F), (P, F), (UNANSWERABLE,), (P, F), False),
        ((F, P), (P, F), (P, P), (TYPE, UNANSWERABLE), (P, P), True),
        ((F, P), (F, F), None, (UNANSWERABLE,), (F, None), False),
        ((P, U), (P, U), (None, P), (UNANSWERABLE,), (P, P), True),
        ((P, U), (P, P), (None, U), (UNANSWERABLE,), (P, U), False),
    ],
    ids=[
        "agreed",
        "agreed-on-a-fail",
        "open",
        "third-decides-only-what-is-disputed",
        "third-fails",
        "both-disputed",
        "failed-whatever-the-third-says",
        "both-unsure",
        "nobody-is-sure",
    ],
)
def test_outcome(
    first: Pair, second: Pair, third: Pair | None, disputed: tuple[Criterion, ...], decided: Pair, accepted: bool | None
) -> None:
    asked = [*TWO, *([assign("ann3", Round.ADJUDICATION, criteria=disputed)] if third else [])]
    given = [judge("ann1", first), judge("ann2", second)]
    given += [judge("ann3", third, Round.ADJUDICATION)] if third else []

    outcome = decide(gather(asked, given)[0], ALL)

    assert (outcome.type_compliance, outcome.unanswerability) == decided
    assert (outcome.disputed, outcome.accepted) == (disputed, accepted)


def test_one_verdict_decides_nothing() -> None:
    outcome = decide(gather(TWO, [judge("ann1", (F, F))])[0], ALL)

    assert (outcome.type_compliance, outcome.unanswerability, outcome.accepted) == (None, None, None)


def test_a_flagged_verdict_is_as_good_as_none() -> None:
    flagged = judge("ann2", (P, P), flags=(Flag.EDITED_BY_OTHER,))

    assert decide(gather(TWO, [judge("ann1", (P, P)), flagged])[0], ALL).accepted is None


def test_a_verdict_of_somebody_who_was_not_asked_does_not_complete_the_round() -> None:
    assert decide(gather(TWO, [judge("ann1", (P, P)), judge("ann9", (P, P))])[0], ALL).accepted is None


def test_controls_have_no_outcome() -> None:
    control = assign("ann1").model_copy(update={"control": True})

    assert gather([control], []) == []


def test_the_third_is_neither_of_the_first_two_and_is_asked_once() -> None:
    items = gather(TWO, [judge("ann1", (P, P)), judge("ann2", (F, P))])

    new = find_disputes(items, ["ann1", "ann2", "ann3"], 42)
    again = find_disputes(gather([*TWO, *new], items[0].given), ["ann1", "ann2", "ann3"], 42)

    assert [(found.annotator, found.round, found.criteria) for found in new] == [("ann3", Round.ADJUDICATION, (TYPE,))]
    assert again == []


def test_disputes_are_shared_between_those_who_may_judge_them() -> None:
    judged = [judge("ann1", (P, P)), judge("ann2", (F, P))]
    asked = [assign(name, item=f"cnd_{number}") for number in range(10) for name in ("ann1", "ann2")]
    given = [found.model_copy(update={"item": f"cnd_{number}"}) for number in range(10) for found in judged]

    new = find_disputes(gather(asked, given), ["ann1", "ann2", "ann3", "ann4"], 42, informed=True)

    assert sorted(found.annotator for found in new) == ["ann3"] * 5 + ["ann4"] * 5
    assert all(found.informed for found in new)


def test_without_a_third_annotator_a_dispute_stays_open() -> None:
    items = gather(TWO, [judge("ann1", (P, P)), judge("ann2", (F, P))])

    assert find_disputes(items, ["ann1", "ann2"], 42) == []
    assert find_disputed(items[0]) == (TYPE,)
    assert decide(items[0], ["ann1", "ann2"]).accepted is None
    assert is_stuck(items[0], ["ann1", "ann2"])
    assert not is_stuck(items[0], ALL)


@pytest.mark.parametrize(
    ("verdicts", "decided", "accepted", "stuck"),
    [
        ([(P, P), (P, P), (F, P)], (P, P), True, False),
        ([(P, F), (P, F), (P, P)], (P, F), False, False),
        ([(P, P), (P, P), (P, U)], (P, P), True, False),
        ([(P, P), (P, F), (P, U)], (P, None), None, True),
        ([(P, U), (P, U), (P, P)], (P, None), None, True),
        ([(P, P), (P, P), (P, F), (P, F)], (P, None), None, True),
        ([(F, P), (F, P), (F, F), (F, F)], (F, None), False, False),
    ],
    ids=["two-of-three-pass", "fail", "one-unsure", "all-differ", "two-unsure", "tie", "failed-anyway"],
)
def test_where_nobody_is_left_the_majority_of_the_first_round_decides(
    verdicts: list[Pair], decided: Pair, accepted: bool | None, stuck: bool
) -> None:
    names = [f"ann{number}" for number in range(len(verdicts))]
    item = gather(map(assign, names), [judge(name, said) for name, said in zip(names, verdicts, strict=True)])[0]

    outcome = decide(item, names)

    assert (outcome.type_compliance, outcome.unanswerability, outcome.accepted) == (*decided, accepted)
    assert is_stuck(item, names) == stuck
    if outcome.disputed:
        more = [*names, "ann9"]
        assert find_disputes([item], more, 42)
        assert decide(item, more).accepted is (None if accepted is not False or decided[0] is P else False)


def test_a_third_who_is_not_sure_leaves_it_undecided_which_is_not_rejected() -> None:
    asked = [*TWO, assign("ann3", Round.ADJUDICATION, criteria=(UNANSWERABLE,))]
    given = [judge("ann1", (P, P)), judge("ann2", (P, F))]

    unsure, failed = (
        decide(gather(asked, [*given, judge("ann3", (None, verdict), Round.ADJUDICATION)])[0], ALL)
        for verdict in (U, F)
    )

    assert (unsure.accepted, unsure.undecided) == (False, True)
    assert (failed.accepted, failed.undecided) == (False, False)
