"""How a review looks in a terminal."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from annotation.agreement import CriterionAgreement, PairAgreement
from annotation.progress import AnnotatorProgress
from annotation.resampling import CATEGORIES, Interval
from cli.summary_lines import show_line
from core.counting import counted

if TYPE_CHECKING:
    from tasks.review_flagged import FlaggedItem
    from tasks.review_plans import PlanSummary
    from tasks.review_pulling import PulledProject
    from tasks.review_pushing import PushedProject
    from tasks.review_reports import ReviewStatus
    from tasks.review_serving import ServedDesk

_NONE = "-"
SMALL = 30
"""Items below which an interval says more than a figure."""


def plan_view(summary: "PlanSummary", *, has_server: bool) -> RenderableType:
    """`has_server`: whether the settings name a Label Studio, so that none is to be started here."""
    plan = summary.plan
    loads = ", ".join(f"{name} {count}" for name, count in summary.loads.items())
    push = f"uv run flawbench review push {plan.build}"
    first = (
        [] if has_server else [show_line("next", f"uv run flawbench review up {plan.build}; in another terminal then")]
    )
    share = f" ({plan.per_subtype} of a subtype at most)" if plan.per_subtype else ""
    return Group(
        *(
            [show_line("replaced", "the plan before, of which nothing was pushed or judged")]
            if summary.replaced
            else []
        ),
        show_line(
            "review", f"{plan.build}: {counted(summary.candidates, 'item')}{share}, {plan.overlap} annotators each"
        ),
        show_line("items", f"{loads} (control items among them: {summary.controls} different ones)"),
        show_line("new", f"{counted(summary.new, 'assignment')}; run again, only what was added to the build is dealt"),
        *_plan_notes(summary),
        Text(),
        *first,
        show_line("" if first else "next", push),
    )


def _plan_notes(summary: "PlanSummary") -> list[Text]:
    notes: list[Text] = []
    if summary.plan.left:
        left = ", ".join(summary.plan.left)
        told = f"{left}, whose verdicts stay; handed over now: {counted(summary.taken, 'item')}"
        notes.append(show_line("left", told))
    if summary.newcomers:
        told = f"{', '.join(summary.newcomers)}: only items added to the build and disputes; nothing dealt moves"
        notes.append(show_line("joined", told))
    if summary.short:
        short = ", ".join(f"{name} {count}" for name, count in summary.short.items())
        notes.append(show_line("controls", f"there are no more; fewer than wanted: {short}"))
    return notes


def pushed_view(build: str, pushed: "Sequence[PushedProject]", keys_file: Path) -> RenderableType:
    """`keys_file` holds the passwords of the accounts that were made here. Links of projects with something new come
    first."""
    table = _table("annotator", "round", "new", "renewed", "there\nalready", "taken\nback", "judged on\nother content")
    for row in pushed:
        counts = (int(row.round), row.created, row.updated, row.kept, row.removed, len(row.stale))
        table.add_row(Text(row.annotator), *(str(count) for count in counts))
    links = [
        show_line(name, f"{row.link} (round {int(row.round)}, log in as {row.login})")
        for name, is_new in (("judge", True), ("as before", False))
        for row in pushed
        if bool(row.created) is is_new and (row.created or row.updated or row.kept)
    ]
    return Group(
        table,
        Text(),
        *links,
        show_line("passwords", f"{keys_file}, where the account was made by flawbench"),
        show_line("next", "each annotator opens the own link and judges with keys alone; then"),
        show_line("", f"uv run flawbench review pull {build}"),
    )


def pulled_view(pulled: "Sequence[PulledProject]", status: "ReviewStatus") -> RenderableType:
    table = _table("annotator", "round", "tasks\nread", "items\nchanged", "deleted\ntasks", "foreign\ntasks")
    for row in pulled:
        counts = (int(row.round), row.read, row.changed, row.gone, row.strange)
        table.add_row(Text(row.annotator), *(str(count) for count in counts))
    failed = [
        show_line(
            "not read", f"{link} of {row.annotator}: the server fails on it; delete its annotations there, then pull"
        )
        for row in pulled
        for link in row.unreadable
    ]
    return Group(table, Text(), *failed, status_view(status))


def flagged_view(build: str, flagged: "Sequence[FlaggedItem]") -> RenderableType:
    """Without a table: links are long."""
    if not flagged:
        return show_line("again", "nothing: of all that was judged, something counts")
    lines: list[Text] = []
    for row in flagged:
        why = row.detail or ", ".join(flag.replace("_", " ") for flag in row.flags)
        lines += [
            show_line("again", f"{row.annotator}, round {row.round}, {row.item}: {why}"),
            show_line("", row.link or f"no task; uv run flawbench review push {build} puts it there"),
        ]
    told = f"they judge these again as docs/review.md says; then uv run flawbench review pull {build}"
    return Group(*lines, show_line("next", told))


def accounts_view(build: str, desk: "ServedDesk") -> RenderableType:
    """The passwords are shown: they are needed once, and stand in a file of the owner alone."""
    table = _table("annotator", "login", "password")
    for account in desk.accounts:
        password = account.password.get_secret_value() if account.password else "as it was"
        table.add_row(*(Text(cell) for cell in (account.annotator, account.login, password)))
    return Group(
        table,
        Text(),
        show_line("log in", f"{desk.url}/user/login/"),
        show_line("ready", f"{desk.url}; Ctrl-C stops it, everything stays in {desk.folder}"),
        show_line("next", f"in another terminal: uv run flawbench review push {build}"),
    )


def status_view(status: "ReviewStatus") -> RenderableType:
    table = _table("annotator", "done", "left", "seconds\nan item", "controls\nright", "hours\nleft", "days\nleft")
    for row in status.annotators:
        table.add_row(
            Text(row.annotator),
            str(row.done),
            str(row.left),
            _number(row.seconds, 1),
            f"{row.controls_right} of {row.controls_judged}",
            _number(row.hours_left, 1),
            _number(row.days_left, 1),
        )
    refused = f"{status.rejected} rejected, {status.undecided} undecided"
    counts = f"{status.accepted} accepted, {refused}, {status.open} open of {counted(status.items, 'item')}"
    gone = f"{status.gone} more items were dealt and are no longer in the build"
    return Group(
        table,
        Text(),
        *(show_line("no count", f"{row.annotator}: {_flags(row)}") for row in status.annotators if row.flagged),
        *(show_line("look at", f"{row.annotator}: {doubt}") for row in status.annotators for doubt in row.doubts),
        show_line("outcome", f"{counts}; {status.disputed} disputed in the first round"),
        *([show_line("gone", gone)] if status.gone else []),
        *(show_line("" if number else "next", step) for number, step in enumerate(_next_steps(status))),
    )


def _next_steps(status: "ReviewStatus") -> list[str]:
    if not status.pushed:
        again = [f"uv run flawbench review plan {status.build} --annotators NAME,NAME,NAME (items have left)"]
        return [*(again if status.gone else []), f"uv run flawbench review push {status.build}"]
    steps: list[str] = []
    if any(person.flagged for person in status.annotators):
        steps.append(
            f"uv run flawbench review status {status.build} --flagged says what is to be judged again, and where"
        )
    if status.undealt:
        steps.append(
            f"uv run flawbench review push {status.build} gives {status.undealt} disputes to the third annotator"
        )
    elif any(person.left for person in status.annotators):
        steps.append(f"the annotators judge on; then uv run flawbench review pull {status.build}")
    if status.stuck:
        names = ",".join(person.annotator for person in status.annotators)
        steps += [
            f"{status.stuck} disputed items stay open, since nobody is left to ask: name a further annotator by",
            f"uv run flawbench review plan {status.build} --annotators {names},NAME and push again",
        ]
    if not status.undealt and not any(person.left for person in status.annotators):
        without = f" leaves the {status.open} open ones out" if status.open else ""
        steps.append(f"uv run flawbench export {status.build} --reviewed{without}")
    return steps


def verdicts_text(rows: Sequence[Mapping[str, object]]) -> str:
    """As CSV with a head; without a row there is none."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def agreement_view(measured: Sequence[CriterionAgreement]) -> RenderableType:
    """`items` are those with two verdicts, on which all figures but the pass rate rest: that has its own number."""
    if not any(one.verdicts for one in measured):
        return show_line("no verdict", "none has been pulled that counts; see `flawbench review pull` and `status`")
    parts: list[RenderableType] = []
    for one in measured:
        name = one.criterion.replace("_", " ")
        table = _table(name, "items", "agree", "kappa", "95 %", "alpha", "95 %", "pass")
        figures = (_number(one.kappa), _interval(one.kappa_interval), _number(one.alpha))
        rest = (_interval(one.alpha_interval), f"{_number(one.pass_rate)}\nof {one.verdicts}")
        table.add_row("all", str(one.items), _number(one.agreement), *figures, *rest, style="bold")
        for pair in one.pairs:
            table.add_row(*_pair_cells(pair))
        parts += [table, Text(), *_agreement_notes(one)]
    if not any(one.items for one in measured):
        told = "nobody has judged an item that another has judged, so nothing can be compared yet"
        parts.append(show_line("no pair", told))
    return Group(*parts, *(_confusion(pair) for pair in _pairs(measured)))


def _agreement_notes(one: CriterionAgreement) -> list[Text]:
    if not one.items:
        return []
    small = [f"all {one.items}"] if one.items < SMALL else []
    small += [f"{' and '.join(pair.annotators)} {pair.items}" for pair in one.pairs if pair.items < SMALL]
    notes = [show_line("few items", f"below {SMALL}, the figures tell little: {', '.join(small)}")] if small else []
    notes += [show_line("no figure", reason) for reason in one.undefined]
    if one.fleiss.kappa is not None:
        items = counted(one.fleiss.items, "item")
        told = f"kappa {_number(one.fleiss.kappa)} on {items} that {one.fleiss.raters} judged each"
        notes.append(show_line("Fleiss", told))
    return [*notes, Text()] if notes else []


def _pair_cells(pair: PairAgreement) -> list[Text]:
    rates = "/".join(_number(rate) for rate in pair.pass_rates) if pair.pass_rates else _NONE
    cells = [" and ".join(pair.annotators), str(pair.items), _number(pair.agreement), _number(pair.kappa)]
    return [Text(cell) for cell in (*cells, _interval(pair.interval), "", "", rates)]


def _interval(interval: Interval | None) -> str:
    return f"{interval[0]:.2f}..{interval[1]:.2f}" if interval else _NONE


def _confusion(pair: PairAgreement) -> RenderableType:
    first, second = pair.annotators
    names = [f"{second}:\n{category}" for category in CATEGORIES]
    table = _table(f"{pair.criterion.replace('_', ' ')}\n{first}", *names)
    for category, row in zip(CATEGORIES, pair.table, strict=True):
        table.add_row(category, *(str(count) for count in row))
    return Group(Text(), table)


def _pairs(measured: Sequence[CriterionAgreement]) -> list[PairAgreement]:
    return [pair for one in measured for pair in one.pairs if pair.items]


def _flags(row: AnnotatorProgress) -> str:
    return ", ".join(f"{flag.replace('_', ' ')} {count}" for flag, count in row.flagged)


def _number(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _table(*names: str) -> Table:
    """80 columns hold it: long names are broken, never figures."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(names):
        if number == 0:
            table.add_column(Text(name), overflow="fold")
        else:
            table.add_column(Text(name), justify="right", no_wrap=True)
    return table
