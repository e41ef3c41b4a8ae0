"""The stored side of a review. Apart from its planning, which loads every injector to make control items."""

from core.errors import ConfigurationError
from core.review import ReviewPlan
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


def open_reviews(settings: Settings) -> Reviews:
    return Reviews(settings.lineage_file, settings.lock_timeout_seconds)
