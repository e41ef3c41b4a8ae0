"""The verdicts of people for a release: what became of each row, everybody's own labels under numbers instead of names,
and how far they agree."""

from collections import Counter
from typing import NamedTuple

from core.errors import ExportError
from core.recipe import Recipe
from core.review import Judgement, ReviewOutcome
from core.settings import Settings
from export.facts import ReviewFacts
from export.rows import Label, Review
from storage.reviews import Reviews
from tasks.review_reports import review_agreement, review_outcomes
from tasks.review_store import open_reviews


class ReleaseReview(NamedTuple):
    """`outcomes` and `labels` by candidate; candidates that are in no review are in neither."""

    facts: ReviewFacts
    outcomes: dict[str, Review]
    labels: dict[str, tuple[Label, ...]]


def require_accepted(build: str, recipe: Recipe, settings: Settings) -> None:
    """Without Prefect, so that a command can refuse before it starts a server. Raises ExportError for a build of which
    people accepted no row, and for one of premise pairs."""
    if recipe.premises:
        raise ExportError(
            f"Build {build} holds premise pairs, which no person reviews.", "Export it without `--reviewed`."
        )
    counts = Counter(_outcomes(open_reviews(settings), build).values())
    if not counts[Review.ACCEPTED]:
        raise ExportError(
            f"No row of build {build} was accepted by people ({counts[Review.REJECTED]} rejected,"
            f" {counts[Review.UNDECIDED]} undecided, {counts[Review.OPEN]} open of those in review).",
            f"See `flawbench review status {build}`, or export without `--reviewed`.",
        )


def find_review(build: str, settings: Settings, *, accepted_only: bool) -> ReleaseReview | None:
    """None for a build whose review is not planned."""
    reviews = open_reviews(settings)
    plan = reviews.plan(build)
    if plan is None:
        return None
    outcomes = _outcomes(reviews, build)
    counts = Counter(outcomes.values())
    measured = review_agreement(reviews, build)
    facts = ReviewFacts(
        annotators=len(plan.annotators),
        overlap=plan.overlap,
        items=len(outcomes),
        accepted=counts[Review.ACCEPTED],
        rejected=counts[Review.REJECTED],
        undecided=counts[Review.UNDECIDED],
        open=counts[Review.OPEN],
        accepted_only=accepted_only,
        paired={found.criterion: found.items for found in measured},
        agreement={found.criterion: found.agreement for found in measured},
        kappa={found.criterion: found.kappa for found in measured},
        alpha={found.criterion: found.alpha for found in measured},
    )
    numbers = {name: number for number, name in enumerate(plan.annotators, start=1)}
    labels: dict[str, tuple[Label, ...]] = {}
    for found in reviews.judgements(build):
        if found.counts and not found.control:
            labels[found.item] = (*labels.get(found.item, ()), _label(found, numbers))
    return ReleaseReview(facts, outcomes, labels)


def _outcomes(reviews: Reviews, build: str) -> dict[str, Review]:
    return {found.item: _name_outcome(found) for found in review_outcomes(reviews, build)}


def _name_outcome(outcome: ReviewOutcome) -> Review:
    match outcome.accepted:
        case True:
            return Review.ACCEPTED
        case False:
            return Review.UNDECIDED if outcome.undecided else Review.REJECTED
        case None:
            return Review.OPEN


def _label(judgement: Judgement, numbers: dict[str, int]) -> Label:
    return Label(
        annotator=numbers[judgement.annotator],
        round=int(judgement.round),
        type_compliance=judgement.type_compliance,
        unanswerability=judgement.unanswerability,
        type_compliance_reason=judgement.type_compliance_reason,
        unanswerability_reason=judgement.unanswerability_reason,
        seconds=judgement.seconds,
    )
