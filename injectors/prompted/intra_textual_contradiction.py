"""Intra-textual contradiction by a model: a statement is put beside one that stays, and both cannot be true."""

import re

from core.records import FlawedSample, Sample, TextPart
from core.taxonomy import Subtype
from injectors.base import Rejection, RejectionReason
from injectors.prompted.checks import Allowed, places_of, quoted_in_change, text_edits
from injectors.prompted.composing import shorten
from injectors.prompted.replies import IntraTextualContradictionReply
from injectors.prompted.text_flaws import TextFlaw

_PRECEDENCE = re.compile(
    r"\b(?:in fact|actually|in reality|corrected|correction|erroneous\w*|mistaken\w*|by mistake|instead of)\b"
    r"|rather than|更正|修正|实际上|其实|事实上|误写|以此为准|为准",
    re.IGNORECASE,
)


def _refuse_nothing(sample: Sample) -> None:
    return None


def _check(sample: Sample, candidate: FlawedSample, reply: IntraTextualContradictionReply) -> Rejection | None:
    new, kept = reply.statement_new.strip(), reply.statement_kept.strip()
    if not quoted_in_change(candidate, new):
        detail = f"`statement_new` {shorten(new)} must quote the changed text, with what is new in it"
        return Rejection(RejectionReason.SPAN_NOT_FOUND, detail)
    if not _stands_untouched(candidate, kept):
        detail = f"`statement_kept` {shorten(kept)} must quote a statement of the source that no edit touches"
        return Rejection(RejectionReason.SPAN_NOT_FOUND, detail)
    if new in kept or kept in new:
        return Rejection(RejectionReason.TOO_WEAK, "the two statements must be two: one quotation is part of the other")
    found = next((edit for edit in text_edits(candidate) if _PRECEDENCE.search(edit.after)), None)
    if found is not None:
        detail = f"{shorten(found.after)} tells which statement holds: state both as plain facts"
        return Rejection(RejectionReason.TOO_WEAK, detail)
    return None


def _stands_untouched(candidate: FlawedSample, quotation: str) -> bool:
    edits = text_edits(candidate)
    return any(
        all(
            place.end <= edit.start or edit.start + len(edit.after) <= place.start
            for edit in edits
            if edit.part is part
        )
        for part in (TextPart.CONTEXT, TextPart.QUERY)
        for place in places_of(quotation, getattr(candidate, part) or "")
    )


INTRA_TEXTUAL_CONTRADICTION = TextFlaw(
    subtype=Subtype.INTRA_TEXTUAL_CONTRADICTION,
    version=1,
    reply=IntraTextualContradictionReply,
    allowed=Allowed(),
    refuse=_refuse_nothing,
    check=_check,
)
