"""Unclear intent by a model: the query stays a query, but what it wants to have found is gone from it."""

from core.records import FlawedSample, Sample
from core.taxonomy import Subtype
from injectors.base import Rejection, RejectionReason
from injectors.goals import has_drawn_options
from injectors.prompted.checks import Allowed
from injectors.prompted.composing import shorten
from injectors.prompted.replies import UnclearIntentReply
from injectors.prompted.text_flaws import TextFlaw, refuse_without_query


def _refuse(sample: Sample) -> Rejection | None:
    """Options that are drawn tell what is asked and cannot be taken away."""
    if has_drawn_options(sample):
        return Rejection(
            RejectionReason.NOTHING_TO_CHANGE, "the options are drawn in the pictures and tell what is asked"
        )
    return refuse_without_query(sample)


def _check(sample: Sample, candidate: FlawedSample, reply: UnclearIntentReply) -> Rejection | None:
    source, query = sample.query or "", candidate.query or ""
    if not reply.goal.strip() or reply.goal not in source:
        detail = f"{shorten(reply.goal)} does not stand in the source query: quote the words that name the goal"
        return Rejection(RejectionReason.SPAN_NOT_FOUND, detail)
    if reply.goal in query or source.strip() in query:
        return Rejection(RejectionReason.TOO_WEAK, f"the query still names its goal: {shorten(reply.goal)}")
    if candidate.options:
        return Rejection(RejectionReason.TOO_WEAK, "the options tell what is asked: set `drop_options` to true")
    return None


UNCLEAR_INTENT = TextFlaw(
    subtype=Subtype.UNCLEAR_INTENT,
    version=1,
    reply=UnclearIntentReply,
    allowed=Allowed(whole_query=True, drop_options=True),
    refuse=_refuse,
    check=_check,
)
