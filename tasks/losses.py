"""Why a run ended with nothing, in words: the reasons that took most of its candidates, and what that cost."""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.records import Decision, Stage
from models.ledger import Ledger
from storage.parts import Part
from storage.rows import decisions_in
from tasks.runs import Run
from tasks.stores import open_ledger

_STAGES = (Stage.INJECT, Stage.FILTER, Stage.PANEL)
_AT = {
    Stage.INJECT: "refused by an injector",
    Stage.FILTER: "dropped by a filter",
    Stage.PANEL: "not passed by the panel",
    Stage.SELECT: "not selected",
}
_MOST = 3


def describe_losses(parts: Sequence[Part], selected: Sequence[Decision], run: Run) -> str:
    """`parts` are those of this run up to the selection."""
    made = [decision for part in parts if part.info.stage in _STAGES for decision in decisions_in(part)]
    told = count_reasons([*made, *selected])
    models = run.recipe.models
    return f"{told} {describe_spending(open_ledger(run.settings, run.build))}" if models else told


def count_reasons(decisions: Iterable[Decision]) -> str:
    """The most frequent first; those of equal counts by name."""
    lost = Counter((decision.stage, decision.reason or "no reason") for decision in decisions if not decision.keep)
    if not lost:
        return "Nothing could be tried."
    first, rest = (ranked := sorted(lost.items(), key=lambda found: (-found[1], found[0])))[:_MOST], ranked[_MOST:]
    told = [f"{reason.replace('_', ' ')} {count:,} times ({_AT[stage]})" for (stage, reason), count in first]
    if rest:
        told.append(f"{len(rest)} other reasons {sum(count for _, count in rest):,} times")
    return f"Why: {', '.join(told)}."


def describe_spending(ledger: Ledger) -> str:
    spent, unanswered = ledger.spent(), ledger.unanswered()
    more = f", and up to {unanswered:.4f} more may have been billed without a reply" if unanswered > 0 else ""
    return f"Paid: {spent:.4f} US dollars for this build so far{more}."
