"""Whether the label can be told without the picture, see `filters.blind_baseline`."""

from collections.abc import Sequence

from filters.blind_baseline import LIMIT, BlindReport, BlindRow, fails, measure_blind
from linting.findings import BlindFinding, Finding, Kind, Severity, Skipped
from linting.rows import LintRow

LEAST_ROWS = 40
"""Below it even a guess has an upper bound above the limit."""
_SEED = 0


def check_blindness(split: str, rows: Sequence[LintRow], limit: float = LIMIT) -> tuple[list[Finding], list[Skipped]]:
    labelled = [row for row in rows if row.label is not None]
    labels = {row.label for row in labelled}
    if len(labels) < 2 or len(labelled) < LEAST_ROWS:
        reason = f"{len(labelled)} rows with {len(labels)} labels; it takes {LEAST_ROWS} rows of two labels"
        return [], [Skipped(kind=Kind.BLIND_BASELINE, split=split, reason=reason)]
    report = measure_blind([_blind_row(row) for row in labelled], _SEED)
    return [_describe(split, report, limit)], []


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
    return BlindRow(f"{row.split}:{row.id}", row.question, row.label is True, row.group, row.subtype, numbers)
