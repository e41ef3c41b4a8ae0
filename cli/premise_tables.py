"""How premise pairs look in a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.summary_lines import Line, listed, next_steps, paid_lines, show_lines
from cli.tables import make_table
from core.counting import counted
from core.taxonomy import PremiseSubtype
from storage.premises import PremiseFunnel

if TYPE_CHECKING:
    from export.blindness import Blindness
    from tasks.premise_summaries import PremiseSummary


def premise_view(summary: "PremiseSummary") -> RenderableType:
    """What was made and where, then how it came about and what to do next."""
    funnel = summary.funnel.premises
    questions = sum(row.true + row.false for row in funnel)
    kinds = sum(1 for row in funnel if row.true + row.false)
    made = f"{counted(questions, 'premise question')}, {counted(kinds, 'subtype')}"
    lines = [
        Line("build", f"{summary.build}: {made}, pairing {summary.pairing}"),
        Line("splits", ", ".join(f"{split} {count}" for split, count in summary.splits.items())),
        Line("release", summary.release),
        Line("lineage", summary.lineage),
        *([Line("replaced", summary.replaced)] if summary.replaced else []),
        Line("verified", _verified(summary)),
        Line("text alone", blind_line(summary.blindness)),
        *paid_lines(summary),
        *listed("short of", summary.shortages),
    ]
    table = premise_table(funnel, summary.targets)
    return Group(*show_lines(lines), Text(), table, Text(), *show_lines(next_steps(summary)))


def blind_line(blindness: "Blindness") -> str:
    """What classifiers that see no picture make of the labels."""
    if blindness.report is None:
        return "nothing to compare: no text differs from that of an unmodified question"
    if blindness.is_small:
        return f"{counted(blindness.report.rows, 'row')}: too few to tell"
    best = blindness.report.best
    low, high = best.interval
    verdict = "passes" if blindness.passes else "does not pass"
    dropped = f"; {counted(blindness.dropped, 'row')} left out for that" if blindness.dropped else ""
    return (
        f"{best.accuracy:.1%} ({low:.1%} to {high:.1%}) by {best.classifier}, 50 % is a guess: {verdict} the limit of "
        f"{blindness.limit:.0%}{dropped}"
    )


def premise_table(funnel: Sequence[PremiseFunnel], targets: Mapping[PremiseSubtype, int]) -> Table:
    """`targets` may be empty: then there is no such column."""
    wanted = ["wanted"] if targets else []
    counts = ["asked", "none\nshown", "refused", "made", "failed\ncheck", "not\ntaken", "true", "false"]
    table = make_table("subtype", *wanted, *counts)
    for row in funnel:
        reasons = (row.refused, row.unverified, row.untaken)
        refused, unverified, untaken = (sum(found.values()) for found in reasons)
        numbers = (row.asked, row.absent, refused, row.made, unverified, untaken, row.true, row.false)
        cells = [str(targets.get(row.subtype, ""))] if targets else []
        table.add_row(row.subtype.replace("_", " "), *cells, *map(str, numbers))
    return table


def premise_reasons(funnel: Iterable[PremiseFunnel]) -> Table:
    table = make_table("subtype", "why items left", "items")
    for row in funnel:
        for reasons in ({"no_premise": row.absent} if row.absent else {}, row.refused, row.unverified, row.untaken):
            for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
                table.add_row(row.subtype.replace("_", " "), reason.replace("_", " "), str(count))
    return table


def _verified(summary: "PremiseSummary") -> str:
    if summary.verified:
        return f"a model of another family looked at {counted(summary.verified, 'item')}"
    return "none: no model of another family was asked whether the pictures show the premises"
