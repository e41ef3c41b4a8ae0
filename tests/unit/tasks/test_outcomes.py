from datetime import UTC, datetime

from core.calls import Call
from core.records import Decision, Stage
from core.taxonomy import Subtype
from storage.parts import PartInfo, make_part
from storage.rows import call_rows, decision_rows
from tasks.outcomes import Outcome, count_decisions, count_parts

INFO = PartInfo(key="0" * 64, stage=Stage.INJECT, run_id="run_x", code_commit="x", started=datetime.now(UTC), seconds=0)


def decide(item: str, reason: str | None = None, stage: Stage = Stage.INJECT) -> Decision:
    return Decision(stage=stage, item=item, keep=reason is None, reason=reason, decided_by="test")


def call(item: str, usd: float | None) -> Call:
    return Call(
        reply="a" * 64, stage=Stage.INJECT, role="generator", item=item, subtype=Subtype.AMBIGUITY, provider="openai",
        model="m", model_reported="m", family="f", prompt="p@1", prompt_hash="0" * 64, parameters="{}", status="ok",
        attempts=1, usd=usd, asked="2026-11-30T08:00:00+00:00",
    )  # fmt: skip


def test_a_line_counts_each_stage_with_reasons_by_number_and_what_was_paid() -> None:
    made = [decide("a"), decide("b", "no_text"), decide("c", "leak"), decide("d", "leak")]
    judged = [decide("a", stage=Stage.PANEL)]
    rows = [row for found in (*made, *judged) for row in decision_rows(found)]
    rows += [row for found in (call("a", 0.25), call("b", None)) for row in call_rows(found)]
    whole = Outcome()
    for outcome in (count_parts([make_part(INFO, rows)]), count_decisions([decide("e")])):
        whole.add(outcome)
    assert str(whole) == "inject=2/5 panel=1/1 left=leak:2,no_text:1 calls=2 usd=0.2500"


def test_nothing_is_said_of_money_or_reasons_where_there_are_none() -> None:
    assert str(count_decisions([decide("a")])) == "inject=1/1"
