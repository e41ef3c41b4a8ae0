"""What the review of a build comes to so far, read from what was pulled: outcomes, progress and agreement."""

from typing import NamedTuple

from annotation.adjudication import decide, find_disputes, gather, is_stuck
from annotation.agreement import CriterionAgreement, measure_agreement
from annotation.progress import AnnotatorProgress, measure_progress
from core.review import ReviewOutcome
from storage.reviews import Reviews
from tasks.review_store import planned, read_current


class ReviewStatus(NamedTuple):
    """Of the items that are in the build; `gone` ones were dealt and are there no longer. `rejected` items failed, on
    `undecided` ones the last person asked was not sure. `disputed` counts items on which the first round did not agree,
    `undealt` those that the next push gives to a third annotator, `stuck` those that stay open because nobody is left
    to ask; `open` are all without an outcome. `pushed`: whether somebody was given anything yet."""

    build: str
    annotators: tuple[AnnotatorProgress, ...]
    items: int
    accepted: int
    rejected: int
    undecided: int
    disputed: int
    undealt: int
    stuck: int
    gone: int
    pushed: bool

    @property
    def open(self) -> int:
        return self.items - self.accepted - self.rejected - self.undecided


def review_outcomes(reviews: Reviews, build: str) -> list[ReviewOutcome]:
    """Of all items of the build that were dealt, in that order; empty for a build without a review."""
    plan, current = reviews.plan(build), read_current(reviews, build)
    items = gather(current.assignments, current.judgements)
    return [decide(item, plan.active) for item in items] if plan else []


def review_status(reviews: Reviews, build: str) -> ReviewStatus:
    """Raises ConfigurationError for a build whose review is not planned."""
    plan, current = planned(reviews, build), read_current(reviews, build)
    items = gather(current.assignments, current.judgements)
    outcomes = [decide(item, plan.active) for item in items]
    progress = measure_progress(plan.annotators, current.assignments, current.judgements, reviews.controls(build))
    undecided = sum(outcome.undecided for outcome in outcomes)
    return ReviewStatus(
        build,
        tuple(progress),
        items=len(outcomes),
        accepted=sum(outcome.accepted is True for outcome in outcomes),
        rejected=sum(outcome.accepted is False for outcome in outcomes) - undecided,
        undecided=undecided,
        disputed=sum(bool(outcome.disputed) for outcome in outcomes),
        undealt=len(find_disputes(items, plan.active, plan.seed)),
        stuck=sum(is_stuck(item, plan.active) for item in items),
        gone=current.gone,
        pushed=bool(reviews.projects(build)),
    )


def review_verdicts(reviews: Reviews, build: str) -> list[dict[str, object]]:
    """One row for each annotation that was read, flagged and control ones among them. `in_build`: whether the item is
    still there. Raises ConfigurationError for a build whose review is not planned."""
    planned(reviews, build)
    subtypes = {found.item: found.subtype for found in reviews.assignments(build)}
    gone = reviews.items_gone(build)
    return [
        {
            "item": found.item,
            "subtype": subtypes.get(found.item),
            "round": int(found.round),
            "annotator": found.annotator,
            "type_compliance": found.type_compliance,
            "unanswerability": found.unanswerability,
            "type_compliance_reason": found.type_compliance_reason,
            "unanswerability_reason": found.unanswerability_reason,
            "problems": " ".join(found.problems),
            "seconds": found.seconds,
            "control": found.control,
            "counts": found.counts,
            "flags": " ".join(found.flags),
            "in_build": found.item in subtypes and found.item not in gone,
            "created": found.created,
            "annotation": found.id,
        }
        for found in reviews.judgements(build)
    ]


def review_agreement(reviews: Reviews, build: str) -> list[CriterionAgreement]:
    """Raises ConfigurationError for a build whose review is not planned."""
    plan, current = planned(reviews, build), read_current(reviews, build)
    subtypes = {found.item: found.subtype for found in current.assignments}
    return measure_agreement(current.judgements, plan.seed, subtypes)
