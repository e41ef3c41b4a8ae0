"""The programmatic filter: whatever made a candidate, it must have changed what it claims and only that, fit
together, and not give its flaw away. It never looks into the injectors, so it catches their mistakes, and those of
models."""

from core.pictures import ReadPixels
from core.recipe import DegradationRecipe
from core.records import Decision, FlawedSample, Sample, Stage
from filters.base import Fault, drop, keep
from filters.claims import check_claims
from filters.edit_reversal import check_reversal
from filters.picture_checks import check_pictures
from filters.text_checks import check_language, check_leaks, check_not_empty, check_options, check_tokens

DECIDED_BY = "integrity@2"


def check(candidate: FlawedSample, parent: Sample, read_pixels: ReadPixels, degradation: DegradationRecipe) -> Decision:
    """The first fault decides; the evidence says what was seen. Pictures are decoded last, and only new ones."""
    fault = _find_fault(candidate, parent, read_pixels, degradation)
    if fault is None:
        return keep(candidate, Stage.FILTER, DECIDED_BY)
    return drop(candidate, Stage.FILTER, DECIDED_BY, fault.reason, fault.evidence)


def _find_fault(
    candidate: FlawedSample, parent: Sample, read_pixels: ReadPixels, degradation: DegradationRecipe
) -> Fault | None:
    return (
        check_not_empty(candidate)
        or check_options(candidate, parent)
        or check_tokens(candidate)
        or check_reversal(candidate, parent)
        or check_claims(candidate, parent)
        or check_leaks(candidate, parent)
        or check_language(candidate, parent)
        or check_pictures(candidate, parent, read_pixels, degradation)
    )
