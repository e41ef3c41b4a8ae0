"""Whether the label can be told without the picture, see `filters.blind_baseline`."""

from collections.abc import Sequence

from core.image_tokens import TOKEN
from filters.blind_baseline import LIMIT, BlindReport, BlindRow, fails, measure_blind
from linting.findings import BlindFinding, Finding, Kind, Severity, Skipped
from linting.rows import LintRow

LEAST_ROWS = 40
"""Below it even a guess has an upper bound above the limit."""
_SEED = 0


def check_blindness(split: str, rows: Sequence[LintRow], limit: float = LIMIT) -> tuple[list[Finding], list[Skipped]]:
    labelled = _told([row for row in rows if row.label is not None])
    labels = {row.label for row in labelled}
    if len(labels) < 2 or len(labelled) < LEAST_ROWS:
        reason = f"{len(labelled)} rows with {len(labels)} labels; it takes {LEAST_ROWS} rows of two labels"
        return [], [Skipped(kind=Kind.BLIND_BASELINE, split=split, reason=reason)]
    report = measure_blind([_blind_row(row) for row in labelled], _SEED)
    return [_describe(split, report, limit)], []


def _told(rows: Sequence[LintRow]) -> list[LintRow]:
    """Where flawed questions stand beside those that they were made from: without those whose flaw is in the pictures,
    or that text is missing, and without twins of these alone."""
    flawed = [row for row in rows if row.label is False and _is_worded(row)]
    pairs = {row.pair for row in flawed}
    sound = (row for row in rows if row.label and (row.source_text is None or row.pair in pairs))
    return [*flawed, *sound]


def _is_worded(row: LintRow) -> bool:
    words = _words(row.question)
    return row.source_text is None or (words != "" and words != _words(row.source_text))


def _words(text: str) -> str:
    """Tokens that name pictures follow from what was done to these."""
    return " ".join(TOKEN.sub(" ", text).split())


def _describe(split: str, report: BlindReport, limit: float) -> BlindFinding:
    best, failed = report.best, fails(report, limit)
    low, high = best.interval
    told = (
        f"the {best.classifier} of the question alone tell the label in {best.accuracy:.1%} of rows "
        f"({low:.1%} to {high:.1%}; a guess: 50 %)"
    )
    return BlindFinding(
        kind=Kind.BLIND_BASELINE,
        severity=Severity.ERROR if failed else Severity.INFO,
        split=split,
        count=report.rows,
        message=f"{told}; the upper bound is {'above' if failed else 'within'} the limit of {limit:.0%}",
        ids=(),
        examples=(),
        accuracy=best.accuracy,
        interval=best.interval,
        auc=best.auc,
        auc_interval=best.auc_interval,
        majority=report.majority,
        limit=limit,
        classifiers=report.classifiers,
        subtypes=report.subtypes,
        features=report.features,
        picture=report.picture,
    )


def _blind_row(row: LintRow) -> BlindRow:
    numbers = row.pictures[0].numbers if row.pictures else None
    return BlindRow(f"{row.split}:{row.id}", _words(row.question), row.label is True, row.group, row.subtype, numbers)
