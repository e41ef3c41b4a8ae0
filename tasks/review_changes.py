"""A build whose rows change while people review it: nothing that they said is lost, but what left the build is asked
and counted no more."""

import logging
from collections.abc import Collection

from core.records import Record
from tasks.review_store import open_reviews, read_current, read_dealt
from tasks.runs import Run

_logger = logging.getLogger("flawbench.progress")


class ReviewChange(Record):
    """Rows: `left` were dealt and are gone, `judged` of them by somebody; `back` were dealt once and are there again;
    `undealt` came and nobody has them."""

    left: int
    judged: int
    back: int
    undealt: int


def tell_review_change(run: Run, left: Collection[str], came: Collection[str]) -> ReviewChange | None:
    """Of the ids that left the build and came into it, also as a warning in the log. None without a review."""
    reviews = open_reviews(run.settings)
    if reviews.plan(run.build) is None:
        return None
    dealt = read_dealt(reviews, run.build)
    change = ReviewChange(
        left=len(dealt.rows.intersection(left)),
        judged=len(set(dealt.verdicts).intersection(left)),
        back=len(dealt.rows.intersection(came)),
        undealt=len(set(came) - dealt.rows),
    )
    if change.left or change.undealt:
        counts = (run.build, change.left, change.judged, change.undealt)
        _logger.warning("build=%s is in review: %d rows left it, %d of them judged; %d came undealt.", *counts)
    return change


def count_seen(run: Run) -> int:
    """Rows of the build on which a verdict of a person counts."""
    judgements = read_current(open_reviews(run.settings), run.build).judgements
    return len({found.item for found in judgements if found.counts and not found.control})
