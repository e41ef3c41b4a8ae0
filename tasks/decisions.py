"""What became of an item that something was to be made from, as its decision."""

from core.records import Decision, Stage
from core.taxonomy import AnySubtype
from injectors.base import Rejection


def decide(stage: Stage, item: str, subtype: AnySubtype | None, made: str | Rejection, decided_by: str) -> Decision:
    """`made`: the id of what came of the item, or why nothing did."""
    if isinstance(made, Rejection):
        reason, evidence = made
        return Decision(
            stage=stage,
            item=item,
            subtype=subtype,
            keep=False,
            reason=reason,
            evidence=evidence,
            decided_by=decided_by,
        )
    return Decision(stage=stage, item=item, output=made, subtype=subtype, keep=True, decided_by=decided_by)
