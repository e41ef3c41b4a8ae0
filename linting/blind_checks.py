"""Whether the label can be told without the picture, see `filters.blind_baseline`."""

from collections import Counter
from collections.abc import Mapping, Sequence

from core.seeding import ordered
from filters.blind_baseline import measure_blind
from filters.blind_reports import LIMIT, BlindReport, BlindRow, fails
from filters.blind_rows import bare_words, why_untold
from filters.blind_scores import SEED
from filters.premise_splits import group_pictures
from linting.findings import BlindFinding, Finding, Kind, Severity, Skipped
from linting.rows import LintRow

LEAST_ROWS = 40
"""Below it even a guess has an upper bound above the limit."""
_MOST_OF_LABEL = 10_000
"""Rows: more hardly narrow the interval, and every 100,000 take a minute or more."""


def check_blindness(split: str, rows: Sequence[LintRow], limit: float = LIMIT) -> tuple[list[Finding], list[Skipped]]:
    labelled = blind_rows(rows)
    labels = {row.label for row in labelled}
    if len(labels) < 2 or len(labelled) < LEAST_ROWS:
        reason = f"{len(labelled)} rows with {len(labels)} labels; it takes {LEAST_ROWS} rows of two labels"
        return [], [Skipped(kind=Kind.BLIND_BASELINE, split=split, reason=reason)]
    report = measure_blind(_sample(labelled))
    return [_describe(split, report, limit, len(labelled))], []


def blind_rows(rows: Sequence[LintRow]) -> list[BlindRow]:
    """Of our releases those that their gate looks at. Questions about premises whose pictures look alike are one
    group."""
    told = tell_rows(rows)
    shown = [row.pictures[0] for row in told if row.premise is not None and row.pictures]
    looks = group_pictures(
        {one.sha256: one.perceptual_hash for one in shown if one.sha256 and one.perceptual_hash is not None}
    )
    return [_blind_row(row, looks) for row in told]


def tell_rows(rows: Sequence[LintRow]) -> list[LintRow]:
    """Those with a label. Where flawed questions stand beside those that they were made from, only those whose words
    can be compared, and of the unmodified ones those that such were made from."""
    flawed = [row for row in rows if row.label is False and _is_told(row)]
    pairs = {row.pair for row in flawed}
    return [*flawed, *(row for row in rows if row.label and (row.source_text is None or row.pair in pairs))]


def _is_told(row: LintRow) -> bool:
    return row.source_text is None or why_untold(row.subtype or "", row.question, row.source_text) is None


def _sample(rows: Sequence[BlindRow]) -> Sequence[BlindRow]:
    """Whole groups, in an order drawn from their names, which hold a label that has too few rows yet."""
    if len(rows) <= 2 * _MOST_OF_LABEL:
        return rows
    groups: dict[str, list[BlindRow]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    taken: list[BlindRow] = []
    counts: Counter[bool] = Counter()
    for name in ordered(groups, SEED, "lint sample", str):
        if any(counts[row.label] < _MOST_OF_LABEL for row in groups[name]):
            taken += groups[name]
            counts.update(row.label for row in groups[name])
    return taken


def _describe(split: str, report: BlindReport, limit: float, rows: int) -> BlindFinding:
    best, failed = report.best, fails(report, limit)
    low, high = best.interval
    told = (
        f"the {best.classifier} of the question alone tell the label in {best.accuracy:.1%} of rows "
        f"({low:.1%} to {high:.1%}; a guess: 50 %)"
    ) + (f", on {report.rows:,} of {rows:,} rows" if report.rows < rows else "")
    return BlindFinding(
        kind=Kind.BLIND_BASELINE,
        severity=Severity.ERROR if failed else Severity.INFO,
        split=split,
        count=report.rows,
        of_rows=rows,
        message=f"{told}; the upper bound is {'above' if failed else 'within'} the limit of {limit:.0%}",
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


def _blind_row(row: LintRow, looks: Mapping[str, str]) -> BlindRow:
    """Without numbers of pictures where both labels show the same ones."""
    first = row.pictures[0] if row.pictures else None
    alone = row.source_text is None
    return BlindRow(
        id=row.id,
        text=bare_words(row.question),
        label=row.label is True,
        group=looks.get(first.sha256 or "", row.group) if first and row.premise is not None else row.group,
        subtype=row.subtype,
        picture=first.numbers if first and alone else None,
        pair=row.pair if alone else None,
    )
