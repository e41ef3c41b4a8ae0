"""The stored side of a review. Apart from its planning, which loads every injector to make control items."""

from typing import NamedTuple

from core.errors import ConfigurationError
from core.review import Assignment, Judgement, ReviewPlan
from core.settings import Settings
from storage.reviews import Reviews


def planned(reviews: Reviews, build: str) -> ReviewPlan:
    """Raises ConfigurationError for a build whose review is not planned."""
    plan = reviews.plan(build)
    if plan is None:
        raise ConfigurationError(
            f"No review of build {build!r} is planned.",
            f"Run `flawbench review plan {build} --annotators NAME,NAME,NAME`.",
        )
    return plan


class Current(NamedTuple):
    """Assignments and verdicts of control items and of what is in the build now. `gone`: items that were dealt and have
    left the build since; their verdicts stay stored and count again when they come back."""

    assignments: list[Assignment]
    judgements: list[Judgement]
    gone: int


def read_current(reviews: Reviews, build: str) -> Current:
    gone = reviews.items_gone(build)
    return Current(
        [found for found in reviews.assignments(build) if found.item not in gone],
        [found for found in reviews.judgements(build) if found.item not in gone],
        len(gone),
    )


class Dealt(NamedTuple):
    """Rows of the build, control items left out: `rows` that people were given, at any time, and the row of each
    verdict that counts."""

    rows: set[str]
    verdicts: list[str]


def read_dealt(reviews: Reviews, build: str) -> Dealt:
    return Dealt(
        {found.item for found in reviews.assignments(build) if not found.control},
        [found.item for found in reviews.judgements(build) if found.counts and not found.control],
    )


def open_reviews(settings: Settings) -> Reviews:
    return Reviews(settings.lineage_file, settings.lock_timeout_seconds)
