"""Whether a release can be solved without its pictures: words alone must not tell a broken question from a sound one.
Those of the published premise questions do in 90.6 % of cases (requirements 3.4)."""

import math

from core.errors import ExportError
from export.blindness import Blindness
from filters.blind_reports import ENOUGH_PAIRS, ENOUGH_ROWS, BlindReport

_GUESS = 0.5
_MOST_TIMES = 10  # as many as there are: beyond that, what is told is the matter and not how few they are


def require_blind(build: str, blindness: Blindness, *, rebalanced: bool = False) -> None:
    """`rebalanced`: leaving out was tried. Raises ExportError that says what to do when a reader of the text alone does
    too well, or when the questions are too few to show that none does."""
    report = blindness.report
    if blindness.passes or report is None:
        return
    best = report.best
    low, high = best.interval
    count, unit = (report.pairs, "pairs") if report.pairs else (report.rows, "questions")
    if enough := _find_enough(report, blindness.limit):
        raise ExportError(
            f"There is no release of build {build}: its {count:,} {unit} are too few to show that nothing is told by "
            f"their text alone. {best.classifier.capitalize()} tell sound from flawed in {best.accuracy:.1%}, which of "
            f"so few can mean {low:.1%} to {high:.1%}, and the upper bound is above {blindness.limit:.0%}.",
            f"Build about {enough:,} {unit}, which are enough where nothing is told: raise `targets` of the recipe, or "
            "`--limit` where it was given, and add sources where these are used up.",
        )
    telling = ", ".join(f"{found.feature!r}" for found in report.features[:3]) or "no single word"
    if rebalanced:
        fix = (
            "Leaving out questions does not bring it under: build more of them (`targets`), or change what makes them."
        )
    else:
        fix = (
            f"Run `flawbench export {build} --rebalance`, which leaves out the fewest {unit} that bring it under, "
            "or change what makes them."
        )
    raise ExportError(
        f"The release of build {build} does not pass the blind baseline: from the text alone, {best.classifier} tell "
        f"sound from flawed in {best.accuracy:.1%} of {best.rows} questions ({low:.1%} to {high:.1%}), and the upper "
        f"bound is above {blindness.limit:.0%}. Most telling: {telling}.",
        fix,
    )


def _find_enough(report: BlindReport, limit: float) -> int | None:
    """How many pairs, or questions, would be enough where it fails for too few of them alone: of very few nothing is
    shown, whatever the accuracy; of more, it is below the limit and the interval alone reaches beyond. None where the
    text tells too much."""
    best = report.best
    low, high = best.interval
    count, least = (report.pairs, ENOUGH_PAIRS) if report.pairs else (report.rows, ENOUGH_ROWS)
    if low <= _GUESS and count < least:
        return least
    if best.accuracy >= limit:
        return None
    enough = math.ceil(count * ((high - best.accuracy) / (limit - best.accuracy)) ** 2 / 10) * 10
    return enough if enough <= _MOST_TIMES * count else None
