"""Premises without a model: those of the shipped starter pictures, which we wrote ourselves, found by the hash of the
picture."""

from core.premises import PremiseQuestion
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason


def premise_rules(
    sample: Sample, subtype: PremiseSubtype, context: PromptContext, label: bool | None = None
) -> tuple[PremiseQuestion, ...] | Rejection:
    """Both questions of every matched pair that is on file for the only picture of the sample, in its language; with
    `label` those of that label alone. NO_PREMISE when there is none."""
    return Rejection(RejectionReason.NO_PREMISE, "not built yet")
