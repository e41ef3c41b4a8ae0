"""Why a run ended with nothing."""

from pathlib import Path

from core.records import Decision, Stage
from models.ledger import Ledger
from models.payments import Payment
from tasks.losses import count_reasons, describe_spending


def decisions(stage: Stage, reason: str | None, count: int) -> list[Decision]:
    keep = reason is None
    return [
        Decision(stage=stage, item=f"i{at}", output=None, keep=keep, reason=reason, evidence="", decided_by="x@1")
        for at in range(count)
    ]


def test_the_reasons_that_took_most_stand_first_with_their_counts_and_the_rest_is_summed() -> None:
    told = count_reasons(
        [
            *decisions(Stage.INJECT, None, 50),
            *decisions(Stage.INJECT, "reply_truncated", 7),
            *decisions(Stage.PANEL, "answerable", 1200),
            *decisions(Stage.FILTER, "picture_unchanged", 7),
            *decisions(Stage.SELECT, "over_target", 2),
            *decisions(Stage.INJECT, "model_declined", 3),
        ]
    )
    assert told == (
        "Why: answerable 1,200 times (not passed by the panel), picture unchanged 7 times (dropped by a filter), "
        "reply truncated 7 times (refused by an injector), 2 other reasons 5 times."
    )


def test_a_run_without_any_decision_tried_nothing() -> None:
    assert count_reasons([]) == "Nothing could be tried."


def test_what_was_paid_and_what_may_have_been_billed_are_told(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.add(Payment(key="k", usd=0.5, model="m", time="t"))
    assert describe_spending(ledger) == "Paid: 0.5000 US dollars for this build so far."
    ledger.open(ledger.make_attempt("k", 0.25, "m", False, "t"))
    assert describe_spending(ledger).endswith("and up to 0.2500 more may have been billed without a reply.")
