"""The tables of the data set card, counted on the rows of a release."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from core.taxonomy import DEFINITIONS
from export.dataset import COLUMNS
from export.facts import FunnelLine
from export.rows import ReleaseRow

MAX_ATTRIBUTIONS = 5


def tabulate_columns() -> str:
    return make_table(("Column", "Holds"), ((f"`{name}`", column.meaning) for name, column in COLUMNS.items()))


def tabulate_flaws(test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> str:
    """Every subtype of the taxonomy with its count, also those without a row, then samples with two flaws. Where twins
    were judged, also how many rows have one that the validators call valid (M-43)."""
    counts = Counter(row.subtype or "" for row in test)
    judged = {row.id for row in twins if row.panel}
    paired = Counter(row.subtype or "" for row in test if row.pair_id in judged)
    singles = [
        (subtype.value, (f"`{found.primary}`", f"`{subtype}`", found.region, found.definition))
        for subtype, found in DEFINITIONS.items()
    ]
    doubles = [(name, ("two flaws", f"`{name}`", "", "")) for name in sorted(counts.keys() - DEFINITIONS.keys())]
    rows = [
        (*texts, f"{counts[name]:,}", *([f"{paired[name]:,}"] if judged else []))
        for name, texts in (*singles, *doubles)
    ]
    header = ("Primary type", "Subtype", "Seen in", "Definition", "Rows", *(["With a valid twin"] if judged else []))
    return make_table(header, rows)


def count_by(
    title: str, test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow], key: Callable[[ReleaseRow], str]
) -> str:
    in_test, in_twins = Counter(map(key, test)), Counter(map(key, twins))
    values = sorted(in_test | in_twins)
    return make_table(
        (title, "`test`", "`twins`"), ((value, f"{in_test[value]:,}", f"{in_twins[value]:,}") for value in values)
    )


def tabulate_licences(test: Sequence[ReleaseRow], twins: Sequence[ReleaseRow]) -> str:
    """Rows of both splits by source and licence, with the first attributions."""
    counts = Counter((row.source, row.licence) for row in (*test, *twins))
    credited: dict[tuple[str, str], dict[str, None]] = {}
    for row in (*test, *twins):
        credited.setdefault((row.source, row.licence), {})[row.attribution] = None
    return make_table(
        ("Source", "Licence", "Rows", "Attribution"),
        (
            (source, licence, f"{counts[source, licence]:,}", _shorten(sorted(credited[source, licence])))
            for source, licence in sorted(counts)
        ),
    )


def tabulate_funnel(funnel: Sequence[FunnelLine]) -> str:
    if not funnel:
        return "The funnel was not recorded with this release."
    return make_table(
        ("Stage", "Entered", "Kept", "Dropped", "Why"),
        (
            (
                line.stage,
                f"{line.entered:,}",
                f"{line.kept:,}",
                f"{line.entered - line.kept:,}",
                ", ".join(f"{reason} {count:,}" for reason, count in line.dropped),
            )
            for line in funnel
        ),
    )


def make_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; line breaks and bars inside cells cannot break it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(_escape, line)) + " |" for line in lines)


def _escape(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def _shorten(attributions: Sequence[str]) -> str:
    shown = "; ".join(attributions[:MAX_ATTRIBUTIONS])
    more = len(attributions) - MAX_ATTRIBUTIONS
    return f"{shown}; and {more:,} more in the column `attribution`" if more > 0 else shown
