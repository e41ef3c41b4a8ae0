"""The tables of the data set card, counted on the rows of a release."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from core.taxonomy import DEFINITIONS
from export.blindness import Blindness
from export.facts import FunnelLine
from export.rows import ReleaseRow
from export.tables import Column
from filters.blind_reports import BlindScore, PictureControl

MAX_ATTRIBUTIONS = 5
MAX_FEATURES = 8
_UNMEASURED = "Nobody measured it."
_CONTROL = (
    "A control: degraded and edited pictures beside those that they were made from, told apart by size, brightness, "
    "saturation, sharpness and edges alone. Damage is there to be seen, so no limit applies."
)
_NOTHING_TO_COMPARE = "There is nothing to compare: no text differs from that of an unmodified question."


class Credited(Protocol):
    @property
    def source(self) -> str: ...
    @property
    def licence(self) -> str: ...
    @property
    def attribution(self) -> str: ...


def tabulate_columns(columns: Mapping[str, Column]) -> str:
    return make_table(("Column", "Holds"), ((f"`{name}`", column.meaning) for name, column in columns.items()))


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


def tabulate_licences(rows: Sequence[Credited]) -> str:
    """Rows by source and licence, with the first attributions."""
    counts = Counter((row.source, row.licence) for row in rows)
    credited: dict[tuple[str, str], dict[str, None]] = {}
    for row in rows:
        credited.setdefault((row.source, row.licence), {})[row.attribution] = None
    return make_table(
        ("Source", "Licence", "Rows", "Attribution"),
        (
            (source, licence, f"{counts[source, licence]:,}", _shorten(sorted(credited[source, licence])))
            for source, licence in sorted(counts)
        ),
    )


def describe_blindness(blindness: Blindness | None) -> str:
    """What classifiers that see only the text make of the labels, overall, by subtype, and by which words."""
    if blindness is None:
        return _UNMEASURED
    report = blindness.report
    told = [f"- `{subtype}`: not measured, {why}." for subtype, why in blindness.untold.items()]
    control = ["", _describe_control(blindness.pictures)] if blindness.pictures else []
    if report is None:
        return "\n".join([_NOTHING_TO_COMPARE, "", *told, *control])
    scores = [("all", report.best), *((found.subtype, found.score) for found in report.subtypes)]
    verdict = "passes" if blindness.passes else "does not pass"
    limit = f"The release {verdict} the limit of {blindness.limit:.0%} for the upper bound over all rows."
    if blindness.is_small:
        limit = f"{report.rows} rows are too few to say whether the release passes the limit of {blindness.limit:.0%}."
    dropped = f" {blindness.dropped:,} rows were left out for that." if blindness.dropped else ""
    words = ", ".join(
        f"`{found.feature}` ({found.sound} sound, {found.flawed} flawed)" for found in report.features[:MAX_FEATURES]
    )
    alone = any(re.fullmatch("[a-z]", found.feature) for found in report.features[:MAX_FEATURES])
    letters = " A letter alone is that of an option (`A.`, `B.`), or a symbol." if alone else ""
    return "\n".join(
        [
            "Classifiers that see no picture and were not fitted on the row (grouped cross-validation); 50 % is a "
            f"guess. {limit}{dropped}",
            "",
            make_table(("Rows", "Of", "Best", "Accuracy", "95 %", "AUC"), (_tell_score(*found) for found in scores)),
            "",
            f"Most telling: {words or 'no word stands out'}.{letters}",
            *(["", *told] if told else []),
            *control,
        ]
    )


def _describe_control(control: PictureControl) -> str:
    scores = [("all", control.score), *((found.subtype, found.score) for found in control.subtypes)]
    table = make_table(("Pictures", "Of", "By", "Accuracy", "95 %", "AUC"), (_tell_score(*found) for found in scores))
    return f"{_CONTROL}\n\n{table}"


def _tell_score(name: str, score: BlindScore) -> tuple[str, ...]:
    low, high = score.interval
    auc = "" if score.auc is None else f"{score.auc:.2f}"
    return name, f"{score.rows:,}", score.classifier, f"{score.accuracy:.1%}", f"{low:.1%} to {high:.1%}", auc


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
