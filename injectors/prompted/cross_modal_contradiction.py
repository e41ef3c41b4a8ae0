"""Cross-modal contradiction by a model: the text states of a picture what the picture plainly shows otherwise."""

import re

from core.records import FlawedSample, Sample
from core.taxonomy import Subtype
from injectors.base import Rejection, RejectionReason
from injectors.prompted.checks import Allowed, quoted_in_change
from injectors.prompted.composing import shorten
from injectors.prompted.replies import CrossModalContradictionReply
from injectors.prompted.text_flaws import TextFlaw

_SUPPOSITION = re.compile(
    r"\s*(?:suppose|assume|imagine|if|let us assume)\b|\s*(?:假设|假定|假如|如果|若)", re.IGNORECASE
)


def _refuse(sample: Sample) -> Rejection | None:
    if sample.pictures:
        return None
    return Rejection(RejectionReason.NO_PICTURE, "there is no picture that the text could contradict")


def _check(sample: Sample, candidate: FlawedSample, reply: CrossModalContradictionReply) -> Rejection | None:
    if not 1 <= reply.picture <= len(sample.pictures):
        return Rejection(RejectionReason.TOO_WEAK, f"`picture` is {reply.picture}, of {len(sample.pictures)} pictures")
    if not quoted_in_change(candidate, reply.text_states):
        detail = f"`text_states` {shorten(reply.text_states)} must quote the changed statement as it stands in the text"
        return Rejection(RejectionReason.SPAN_NOT_FOUND, detail)
    if _SUPPOSITION.match(reply.text_states):
        return Rejection(RejectionReason.TOO_WEAK, "a supposition contradicts no picture: state it as a fact")
    if reply.picture_shows.strip().casefold() in ("", reply.text_states.strip().casefold()):
        return Rejection(RejectionReason.TOO_WEAK, "`picture_shows` must say what the picture shows instead")
    return None


CROSS_MODAL_CONTRADICTION = TextFlaw(
    subtype=Subtype.CROSS_MODAL_CONTRADICTION,
    version=1,
    reply=CrossModalContradictionReply,
    allowed=Allowed(),
    refuse=_refuse,
    check=_check,
)
