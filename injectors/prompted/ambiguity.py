"""Ambiguity by a model: words that a solution needs become words that fit two or more things, and the model says which
readings there are and what each leads to."""

from core.records import FlawedSample, Sample
from core.taxonomy import Subtype
from injectors.base import Rejection, RejectionReason
from injectors.goals import has_drawn_options
from injectors.prompted.checks import Allowed
from injectors.prompted.replies import AmbiguityReply
from injectors.prompted.text_flaws import TextFlaw


def _refuse_nothing(sample: Sample) -> None:
    return None


def _check(sample: Sample, candidate: FlawedSample, reply: AmbiguityReply) -> Rejection | None:
    """Two readings with different answers; options that stay must hold two of these answers."""
    answers = {_plain(reading.answer) for reading in reply.readings if reading.meaning.strip()} - {""}
    if len(answers) < 2:
        return Rejection(RejectionReason.TOO_WEAK, "`readings` must give two readings that lead to different answers")
    if sample.options and not candidate.options and has_drawn_options(sample):
        return Rejection(RejectionReason.OPTION_IS_PICTURE, "options that are drawn in pictures cannot be dropped")
    options = [_plain(option) for option in candidate.options]
    if options and sum(any(option and option in answer for answer in answers) for option in options) < 2:
        detail = "the options hold fewer than two of the answers of `readings`, so they settle the matter: drop them"
        return Rejection(RejectionReason.TOO_WEAK, detail)
    return None


def _plain(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(".。")


AMBIGUITY = TextFlaw(
    subtype=Subtype.AMBIGUITY,
    version=1,
    reply=AmbiguityReply,
    allowed=Allowed(drop_options=True),
    refuse=_refuse_nothing,
    check=_check,
)
