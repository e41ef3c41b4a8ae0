"""How builds look in a terminal: what a run made, its funnel, and which there are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.premise_tables import blind_line, premise_reasons, premise_table
from cli.summary_lines import Line, listed, next_steps, paid_lines, show_lines
from cli.tables import make_table, plain
from core.counting import counted
from core.taxonomy import Subtype
from storage.funnel import Funnel
from storage.membership import BuildSummary as StoredBuild

if TYPE_CHECKING:
    from export.facts import ReviewFacts
    from filters.blind_reports import PictureControl
    from tasks.refiltering import RuleChange
    from tasks.review_changes import ReviewChange
    from tasks.summaries import BuildSummary


def summary_view(summary: "BuildSummary") -> RenderableType:
    """What was made and where, then how it came about and what to do next."""
    if summary.rows is None:
        table = subtype_table(summary.funnel, {} if summary.grown else summary.targets, summary.change)
    else:
        table = _released_table(summary.funnel, summary.rows)
    return Group(*show_lines(_tell(summary)), Text(), table, Text(), *show_lines(next_steps(summary)))


def funnel_view(funnel: Funnel) -> RenderableType:
    if funnel.premises:
        table, reasons = premise_table(funnel.premises, {}), premise_reasons(funnel.premises)
        return Group(source_table(funnel), Text(), table, Text(), reasons)
    judged = [Text(), panel_table(funnel)] if any(row.judged for row in funnel.subtypes) else []
    return Group(source_table(funnel), Text(), subtype_table(funnel, {}), *judged, Text(), reason_table(funnel))


def source_table(funnel: Funnel) -> Table:
    table = make_table("source", "rows", "quarantined", "duplicates", "not\nselected", "sampled")
    for row in funnel.sources:
        quarantined, duplicates = sum(row.quarantined.values()), row.unsampled.get("duplicate", 0)
        others = sum(row.unsampled.values()) - duplicates
        table.add_row(Text(row.source), *_numbers(row.read, quarantined, duplicates, others, row.sampled))
    return table


def subtype_table(funnel: Funnel, targets: Mapping[Subtype, int], change: "RuleChange | None" = None) -> Table:
    """`targets` may be empty. No column for what was not; and so that 80 columns hold the names whole, one of what was
    wanted and what changed."""
    changed = ["change"] if change else []
    wanted = ["wanted"] if targets and not changed else []
    panel = ["not\npassed"] if any(row.judged for row in funnel.subtypes) else []
    table = make_table("subtype", *wanted, "tried", "refused", "dropped", *panel, "not\ntaken", "in\nbuild", *changed)
    for row in funnel.subtypes:
        wanted_here = [str(targets.get(row.subtype, ""))] if wanted else []
        numbers = [row.attempted, sum(row.rejected.values()), sum(row.dropped.values())]
        numbers += [sum(row.unpassed.values())] if panel else []
        numbers += [sum(row.unselected.values()) + row.unjudged, row.selected]
        cells = [*_numbers(*numbers), *([_signed(change, row.subtype)] if change else [])]
        table.add_row(row.subtype.replace("_", " "), *wanted_here, *cells)
    return table


def panel_table(funnel: Funnel) -> Table:
    """What models judged: candidates and the votes on them, and the unmodified questions of those in the build."""
    table = make_table("subtype", "judged", "votes", "not\npassed", "valid\ntwins")
    for row in funnel.subtypes:
        twins = f"{row.valid_twins}/{row.twins}" if row.twins else ""
        numbers = _numbers(row.judged, row.votes, sum(row.unpassed.values()))
        table.add_row(row.subtype.replace("_", " "), *numbers, twins)
    return table


def _released_table(funnel: Funnel, rows: Mapping[Subtype, int]) -> Table:
    """Of a release that leaves out rows of its build."""
    table = make_table("subtype", "in build", "in release")
    for row in funnel.subtypes:
        table.add_row(row.subtype.replace("_", " "), *_numbers(row.selected, rows.get(row.subtype, 0)))
    return table


def reason_table(funnel: Funnel) -> Table:
    table = make_table("where", "why items left", "items")
    for source in funnel.sources:
        _add_reasons(table, f"{source.source} rows", source.quarantined)
        _add_reasons(table, f"{source.source} questions", source.unsampled)
        _add_reasons(table, f"{source.source} rewriting", source.unrewritten)
        _add_reasons(table, f"{source.source} twins", source.invalid)
    for row in funnel.subtypes:
        unasked = {"enough had passed": row.unjudged} if row.unjudged else {}
        for reasons in (row.rejected, row.dropped, row.unpassed, unasked, row.unselected):
            _add_reasons(table, row.subtype.replace("_", " "), reasons)
    return table


def builds_table(builds: Sequence[StoredBuild]) -> Table:
    table = make_table(
        "build", "made by", "judged by", "rows", "questions", "releases", "runs", "last run", "how it ended"
    )
    table.columns[0].no_wrap = True  # so that it can be copied
    for found in builds:
        started = f"{found.last_started:%Y-%m-%d %H:%M}" if found.last_started else ""
        counts = (found.candidates, found.samples, found.releases, found.runs)
        ended = found.outcome or "goes on, or was killed"
        table.add_row(*plain(found.build, found.models or "", found.panel or "", *counts, started, ended))
    return table


def _tell(summary: "BuildSummary") -> Iterator[Line]:
    made = sum(row.selected for row in summary.funnel.subtypes)
    yield Line("build", f"{summary.build}: {counted(made, 'flawed question')}, {_kinds(summary)}")
    if summary.review:
        yield Line("reviewed", _reviewed(summary, summary.review, made))
    if summary.release:
        yield Line("release", summary.release)
    if summary.before_review:
        yield Line("", f"verdicts of people alone make it another one than {summary.before_review}")
    yield Line("lineage", summary.lineage)
    if summary.replaced:
        yield Line("replaced", summary.replaced)
    if summary.change:
        yield Line("rule", _rule(summary.change))
        yield from _in_review(summary.change.review)
    yield Line("panel", _panel(summary, made))
    if summary.blindness:
        yield Line("text alone", blind_line(summary.blindness))
        if summary.blindness.pictures:
            yield Line("pictures", _control(summary.blindness.pictures))
    yield from _twins(summary.funnel)
    yield from paid_lines(summary)
    yield from _this_run(summary)
    yield from _short_of(summary)
    yield from listed("strata", summary.shortfalls)


def _twins(funnel: Funnel) -> Iterator[Line]:
    valid = sum(source.valid for source in funnel.sources)
    judged = valid + sum(sum(source.invalid.values()) for source in funnel.sources)
    if judged:
        yield Line("twins", f"{valid} of {judged} unmodified questions are valid")


def _this_run(summary: "BuildSummary") -> Iterator[Line]:
    """Of one that joined a build, whose table is about all of its rows."""
    if summary.kept is not None:
        told = (f"{subtype} {summary.kept.get(subtype, 0)} of {count}" for subtype, count in summary.targets.items())
        yield Line("this run", f"{', '.join(told)} wanted")


def _short_of(summary: "BuildSummary") -> Iterator[Line]:
    """Nothing where rows of several runs were counted together: what each wanted is not known any more."""
    kept = summary.kept
    if kept is None:
        kept = {} if summary.grown else {row.subtype: row.selected for row in summary.funnel.subtypes}
    missing = {subtype: summary.targets.get(subtype, 0) - count for subtype, count in kept.items()}
    short = ", ".join(f"{subtype} {count}" for subtype, count in missing.items() if count > 0)
    if short:
        yield Line("short of", f"{short} (see `flawbench funnel {summary.build}`)")


def _control(control: "PictureControl") -> str:
    """Beside the line on the text."""
    low, high = control.score.interval
    return (
        f"{control.score.accuracy:.1%} ({low:.1%} to {high:.1%}) of degraded and edited ones by their statistics: a "
        "control without a limit"
    )


def _reviewed(summary: "BuildSummary", review: "ReviewFacts", made: int) -> str:
    """Candidates that were never dealt are open too."""
    rows = sum((summary.rows or {}).values())
    left = made - review.accepted - review.rejected - review.undecided
    refused = f"{review.rejected} rejected, {review.undecided} undecided"
    return f"{rows} of {made} rows, {left} still open, {refused}; judged by people"


def _panel(summary: "BuildSummary", made: int) -> str:
    judged = sum(row.judged for row in summary.funnel.subtypes)
    passed = judged - sum(sum(row.unpassed.values()) for row in summary.funnel.subtypes)
    if judged:
        people = "" if summary.review else _seen(summary, made) or "; seen by no person"
        return f"{passed} of {judged} candidates passed the models of the panel{people}"
    people = "" if summary.review else _seen(summary, made) or " and no person"
    return f"none: checked by programmatic filters, judged by no model{people}"


def _seen(summary: "BuildSummary", made: int) -> str:
    """Empty where no person has judged a row."""
    return f"; {summary.seen} of {made} rows judged by people" if summary.seen else ""


def _in_review(change: "ReviewChange | None") -> Iterator[Line]:
    if change and (change.left or change.back or change.undealt):
        told = f"{change.left} rows that people have left the build, {change.judged} of them judged: they count no more"
        back = f"; {change.back} came back and count again" if change.back else ""
        new = f"; {change.undealt} new ones are with nobody (`flawbench review plan`, then push)"
        yield Line("in review", f"{told}{back}{new if change.undealt else ''}")


def _rule(change: "RuleChange") -> str:
    return f"{' and '.join(change.before)} -> {change.after}: {_signed(change, *change.gained | change.lost)} rows"


def _signed(change: "RuleChange", *subtypes: Subtype) -> str:
    gained, lost = (sum(counts.get(one, 0) for one in subtypes) for counts in (change.gained, change.lost))
    return f"+{gained} -{lost}"


def _kinds(summary: "BuildSummary") -> str:
    kinds = sum(1 for row in summary.funnel.subtypes if row.selected)
    sampled = sum(row.sampled for row in summary.funnel.sources)
    return f"{counted(kinds, 'kind')} of flaws, {counted(sampled, 'question')} sampled"


def _add_reasons(table: Table, where: str, reasons: Mapping[str, int]) -> None:
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(*plain(where, reason.replace("_", " "), count))


def _numbers(*values: int) -> list[str]:
    return [str(value) for value in values]
