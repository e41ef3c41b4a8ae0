"""What the review of a build comes to so far, read from what was pulled: outcomes, progress and agreement."""

from typing import NamedTuple

from annotation.adjudication import decide, find_disputes, gather
from annotation.agreement import CriterionAgreement, measure_agreement
from annotation.progress import AnnotatorProgress, measure_progress
from core.review import ReviewOutcome
from storage.reviews import Reviews
from tasks.review_store import planned


class ReviewStatus(NamedTuple):
    """`disputed` counts items on which the first round did not agree, `undealt` those that the next push gives to
    a third annotator; `open` are those without an outcome."""

    build: str
    annotators: tuple[AnnotatorProgress, ...]
    items: int
    accepted: int
    rejected: int
    disputed: int
    undealt: int

    @property
    def open(self) -> int:
        return self.items - self.accepted - self.rejected


def review_outcomes(reviews: Reviews, build: str) -> list[ReviewOutcome]:
    """Of all items of the review, in the order in which they were dealt; empty for a build without one."""
    return [decide(item) for item in gather(reviews.assignments(build), reviews.judgements(build))]


def review_status(reviews: Reviews, build: str) -> ReviewStatus:
    """Raises ConfigurationError for a build whose review is not planned."""
    plan = planned(reviews, build)
    assignments, judgements = reviews.assignments(build), reviews.judgements(build)
    items = gather(assignments, judgements)
    outcomes = [decide(item) for item in items]
    progress = measure_progress(plan.annotators, assignments, judgements, reviews.controls(build))
    return ReviewStatus(
        build,
        tuple(progress),
        items=len(outcomes),
        accepted=sum(outcome.accepted is True for outcome in outcomes),
        rejected=sum(outcome.accepted is False for outcome in outcomes),
        disputed=sum(bool(outcome.disputed) for outcome in outcomes),
        undealt=len(find_disputes(items, plan.annotators, plan.seed)),
    )


def review_agreement(reviews: Reviews, build: str) -> list[CriterionAgreement]:
    """Raises ConfigurationError for a build whose review is not planned."""
    return measure_agreement(reviews.judgements(build), planned(reviews, build).seed)
