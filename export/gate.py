"""Whether a release can be solved without its pictures: words alone must not tell a broken question from a sound one.
Those of the published premise questions do in 90.6 % of cases (requirements 3.4)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.errors import ExportError
from core.image_tokens import TOKEN
from core.taxonomy import Subtype
from export.blindness import Blindness
from export.rows import ReleaseRow
from filters.blind_baseline import BlindRow, measure_blind

_UNCHANGED = "its text is that of the twin"
_NO_TEXT = "its text was taken away, which is the flaw"
_NO_PICTURE = "its pictures were taken away, and with them the tokens that name them"
_NO_TWINS = "no unmodified question beside it"


def measure_rows(rows: Sequence[BlindRow], seed: int, untold: Mapping[str, str] | None = None) -> Blindness:
    both = len({row.label for row in rows}) == 2
    return Blindness(report=measure_blind(rows, seed) if both else None, untold=dict(untold or {}))


def flawed_blind_rows(test: Sequence[ReleaseRow], twins: Iterable[ReleaseRow]) -> tuple[list[BlindRow], dict[str, str]]:
    """The texts of flawed questions beside those that they were made from, without the tokens that name pictures, which
    follow from what was done to these; and of which subtypes nothing can be told. A flaw in a picture leaves the text
    as it is; where pictures are gone, words stand in the place of their tokens."""
    sound = {row.id: row for row in twins}
    own: defaultdict[str, list[ReleaseRow]] = defaultdict(list)
    for row in test:
        own[row.subtype or ""].append(row)
    untold: dict[str, str] = {}
    told: list[ReleaseRow] = []
    for subtype, rows in own.items():
        paired = [row for row in rows if row.pair_id in sound]
        if subtype == Subtype.MISSING_IMAGE:
            untold[subtype] = _NO_PICTURE
            continue
        changed = [row for row in paired if _words(row) != _words(sound[row.pair_id])]
        worded = [row for row in changed if _words(row)]
        if not worded:
            untold[subtype] = _NO_TEXT if changed else _UNCHANGED if paired else _NO_TWINS
        told += worded
    beside = {row.pair_id: sound[row.pair_id] for row in told}
    return [
        *(BlindRow(row.id, _words(row), False, row.pair_id, row.subtype) for row in told),
        *(BlindRow(row.id, _words(row), True, row.pair_id) for row in beside.values()),
    ], dict(sorted(untold.items()))


def _words(row: ReleaseRow) -> str:
    return " ".join(TOKEN.sub(" ", row.question).split())


def require_blind(build: str, blindness: Blindness, *, rebalanced: bool = False) -> None:
    """`rebalanced`: leaving out was tried. Raises ExportError that says what to do when a reader of the text alone does
    too well."""
    if blindness.passes or blindness.report is None:
        return
    best = blindness.report.best
    low, high = best.interval
    telling = ", ".join(f"{found.feature!r}" for found in blindness.report.features[:3]) or "no single word"
    few = best.accuracy <= blindness.limit
    if rebalanced:
        fix = (
            "Leaving out questions does not bring it under: build more of them (`targets`), or change what makes them."
        )
    elif few:
        fix = "Build more questions: these are too few to show that nothing is told (`targets` of the recipe)."
    else:
        fix = (
            f"Run `flawbench export {build} --rebalance`, which leaves out the fewest questions that bring it under, "
            "or change what makes them."
        )
    raise ExportError(
        f"The release of build {build} does not pass the blind baseline: from the text alone, {best.classifier} tell "
        f"sound from flawed in {best.accuracy:.1%} of {best.rows} questions ({low:.1%} to {high:.1%}), and the upper "
        f"bound is above {blindness.limit:.0%}. Most telling: {telling}.",
        fix,
    )
