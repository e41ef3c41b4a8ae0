"""How a review looks in a terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from annotation.agreement import CATEGORIES, CriterionAgreement, PairAgreement
from annotation.progress import AnnotatorProgress

if TYPE_CHECKING:
    from tasks.review_flagged import FlaggedItem
    from tasks.review_plans import PlanSummary
    from tasks.review_pulling import PulledProject
    from tasks.review_pushing import PushedProject
    from tasks.review_reports import ReviewStatus
    from tasks.review_serving import ServedDesk

_NONE = "-"


def plan_view(summary: "PlanSummary") -> RenderableType:
    plan = summary.plan
    loads = ", ".join(f"{name} {count}" for name, count in summary.loads.items())
    return Group(
        _line("review", f"{plan.build}: {summary.candidates} items, {plan.overlap} annotators each"),
        _line("items", f"{loads} (control items among them: {summary.controls} different ones)"),
        _line("new", f"{summary.new} assignments; run again, only what was added to the build is dealt"),
        Text(),
        _line("next", f"uv run flawbench review push {plan.build}"),
    )


def pushed_view(build: str, pushed: "Sequence[PushedProject]", keys_file: Path) -> RenderableType:
    """`keys_file` holds the passwords of the accounts that were made here."""
    table = _table("annotator", "round", "new", "renewed", "there already", "judged on other content")
    for row in pushed:
        counts = (int(row.round), row.created, row.updated, row.kept, len(row.stale))
        table.add_row(Text(row.annotator), *(str(count) for count in counts))
    links = [_line("judge", f"{row.link} (round {int(row.round)}, log in as {row.login})") for row in pushed]
    return Group(
        table,
        Text(),
        *links,
        _line("passwords", f"{keys_file}, where the account was made by flawbench"),
        _line("next", "each annotator opens the own link and judges with keys alone; then"),
        _line("", f"uv run flawbench review pull {build}"),
    )


def pulled_view(pulled: "Sequence[PulledProject]", status: "ReviewStatus") -> RenderableType:
    table = _table("annotator", "round", "tasks read", "items changed", "deleted tasks", "foreign tasks")
    for row in pulled:
        counts = (int(row.round), row.read, row.changed, row.gone, row.strange)
        table.add_row(Text(row.annotator), *(str(count) for count in counts))
    failed = [
        _line("not read", f"{link} of {row.annotator}: the server fails on it; delete its annotations there, then pull")
        for row in pulled
        for link in row.unreadable
    ]
    return Group(table, Text(), *failed, status_view(status))


def accounts_view(build: str, desk: "ServedDesk") -> RenderableType:
    """The passwords are shown: they are needed once, and stand in a file of the owner alone."""
    table = _table("annotator", "login", "password")
    for account in desk.accounts:
        password = account.password.get_secret_value() if account.password else "as it was"
        table.add_row(*(Text(cell) for cell in (account.annotator, account.login, password)))
    return Group(
        table,
        Text(),
        _line("log in", f"{desk.url}/user/login/"),
        _line("ready", f"{desk.url}; Ctrl-C stops it, everything stays in {desk.folder}"),
        _line("next", f"in another terminal: uv run flawbench review push {build}"),
    )


def status_view(status: "ReviewStatus") -> RenderableType:
    table = _table("annotator", "done", "left", "seconds an item", "controls right", "days left", "not counted")
    for row in status.annotators:
        table.add_row(
            Text(row.annotator),
            str(row.done),
            str(row.left),
            _number(row.seconds, 0),
            f"{row.controls_right} of {row.controls_judged}",
            _number(row.days_left, 1),
            Text(_flags(row) or _NONE),
        )
    counts = f"{status.accepted} accepted, {status.rejected} rejected, {status.open} open of {status.items} items"
    return Group(
        table,
        Text(),
        _line("outcome", f"{counts}; {status.disputed} disputed in the first round"),
        _line("next", _next_step(status)),
    )


def flagged_view(build: str, flagged: "Sequence[FlaggedItem]") -> RenderableType:
    if not flagged:
        return _line("flagged", "nothing that was judged waits to be judged again")
    table = _table("item", "annotator", "round", "why it does not count", "task")
    for row in flagged:
        why = row.detail or ", ".join(flag.replace("_", " ") for flag in row.flags)
        table.add_row(*(Text(cell) for cell in (row.item, row.annotator, str(row.round), why, row.link or _NONE)))
    told = f"the annotator opens the task, judges it again and submits; then uv run flawbench review pull {build}"
    return Group(table, Text(), _line("next", told))


def _next_step(status: "ReviewStatus") -> str:
    if status.undealt:
        return f"uv run flawbench review push {status.build} gives {status.undealt} disputes to the third annotator"
    if any(person.left for person in status.annotators):
        return f"the annotators judge on; then uv run flawbench review pull {status.build}"
    return f"uv run flawbench export {status.build} --reviewed"


def agreement_view(measured: Sequence[CriterionAgreement]) -> RenderableType:
    table = _table("criterion", "annotators", "items", "agreement", "kappa", "95 % interval", "alpha", "pass rate")
    notes: list[Text] = []
    for one in measured:
        name = one.criterion.replace("_", " ")
        figures = (_number(one.agreement), _number(one.kappa), _NONE, _number(one.alpha), _number(one.pass_rate))
        table.add_row(name, "all", str(one.items), *figures, style="bold")
        for pair in one.pairs:
            table.add_row("", *_pair_cells(pair))
        notes += [_line("no figure", f"{name}, {reason}") for reason in one.undefined]
    return Group(table, *([Text(), *notes] if notes else []), *(_confusion(pair) for pair in _pairs(measured)))


def _pair_cells(pair: PairAgreement) -> list[Text]:
    interval = f"{pair.interval[0]:.2f} to {pair.interval[1]:.2f}" if pair.interval else _NONE
    rates = " and ".join(_number(rate) for rate in pair.pass_rates) if pair.pass_rates else _NONE
    cells = [" and ".join(pair.annotators), str(pair.items), _number(pair.agreement), _number(pair.kappa)]
    return [Text(cell) for cell in (*cells, interval, "", rates)]


def _confusion(pair: PairAgreement) -> RenderableType:
    first, second = pair.annotators
    names = [f"{second}: {category}" for category in CATEGORIES]
    table = _table(f"{pair.criterion.replace('_', ' ')}, {first}", *names)
    for category, row in zip(CATEGORIES, pair.table, strict=True):
        table.add_row(category, *(str(count) for count in row))
    return Group(Text(), table)


def _pairs(measured: Sequence[CriterionAgreement]) -> list[PairAgreement]:
    return [pair for one in measured for pair in one.pairs if pair.items]


def _flags(row: AnnotatorProgress) -> str:
    return ", ".join(f"{flag.replace('_', ' ')} {count}" for flag, count in row.flagged)


def _number(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _line(name: str, told: str) -> Text:
    return Text.assemble((f"{name:<10}", "bold"), told)


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, name in enumerate(names):
        table.add_column(Text(name), justify="left" if number == 0 else "right")
    return table
