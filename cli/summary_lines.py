"""What was made, as lines in a terminal: a word and what there is to say."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

if TYPE_CHECKING:
    from tasks.premise_summaries import PremiseSummary
    from tasks.summaries import BuildSummary


class Line(NamedTuple):
    word: str
    told: str


def show_line(word: str, told: str) -> Text:
    return Text.assemble((f"{word:<12}", "bold"), told)


def show_lines(lines: Iterable[Line]) -> list[Text]:
    return [show_line(word, told) for word, told in lines]


def listed(word: str, told: Iterable[str]) -> list[Line]:
    """The word stands before the first alone."""
    return [Line("" if number else word, one) for number, one in enumerate(told)]


def paid_lines(summary: "BuildSummary | PremiseSummary") -> list[Line]:
    if summary.paid_usd is None:
        return []
    maybe = summary.maybe_billed_usd
    more = f"; up to {maybe:.4f} more may have been billed without a reply" if maybe else ""
    lines = [Line("paid", f"{summary.paid_usd:.4f} US dollars for this build so far{more}")]
    if others := summary.answered_by_others:
        told = f"{others:,} replies are of another model than the one asked (`flawbench calls --other-model`)"
        lines.append(Line("other models", told))
    return lines


def next_steps(summary: "BuildSummary | PremiseSummary") -> list[Line]:
    load = f'uv run python -c "import datasets; print(datasets.load_dataset({summary.release!r}))"'
    steps = [
        load if summary.release else f"uv run flawbench export {summary.build}",
        f"uv run flawbench funnel {summary.build}",
        *([f"uv run flawbench lineage {summary.example}"] if summary.example else []),
    ]
    return listed("next", steps)
