"""Beyond capability by a model: the query asks for what nobody can know, of the things of this very question."""

import re

from core.records import FlawedSample, Sample
from core.taxonomy import Subtype
from injectors.base import Rejection, RejectionReason
from injectors.prompted.checks import Allowed, places_of, text_edits
from injectors.prompted.composing import shorten
from injectors.prompted.replies import BeyondCapabilityReply
from injectors.prompted.text_flaws import TextFlaw, refuse_without_query

_GUESS = re.compile(
    r"\b(?:estimate[ds]?|guess\w*|probab(?:le|ly|ility)|likely|might|could|roughly|approximately|in your opinion)\b"
    r"|估计|估算|猜|可能|大概|大约|概率",
    re.IGNORECASE,
)


def _check(sample: Sample, candidate: FlawedSample, reply: BeyondCapabilityReply) -> Rejection | None:
    if _still_asks(candidate.query or "", (sample.query or "").strip()):
        return Rejection(RejectionReason.TOO_WEAK, "the old question still stands in the query: replace it")
    if not reply.unknowable.strip():
        return Rejection(RejectionReason.TOO_WEAK, "`unknowable` must name the fact that nobody can know")
    guess = next((found for edit in text_edits(candidate) if (found := _GUESS.search(edit.after))), None)
    if guess is not None:
        detail = f"{shorten(guess[0])} asks for a guess, which can be given: ask for one definite fact"
        return Rejection(RejectionReason.TOO_WEAK, detail)
    if any(re.search(r"\d", option) for option in candidate.options):
        return Rejection(RejectionReason.TOO_WEAK, "the options answer the old query: set `drop_options` to true")
    return None


def _still_asks(query: str, old: str) -> bool:
    """The old question stands there as a sentence of its own; behind "On 3 May 2071, " it asks for something else."""
    before = [query[: place.start].rstrip() for place in places_of(old, query)]
    return any(not text or text[-1] in ".?!。？！" for text in before)


BEYOND_CAPABILITY = TextFlaw(
    subtype=Subtype.BEYOND_CAPABILITY,
    version=1,
    reply=BeyondCapabilityReply,
    allowed=Allowed(context=False, whole_query=True, drop_options=True),
    refuse=refuse_without_query,
    check=_check,
)
