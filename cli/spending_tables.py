"""How calls and what they cost look in a terminal. Ids are whole, so that they can be copied."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from core.counting import counted
from storage.spending import CallList, CostLine

if TYPE_CHECKING:
    from models.payments import Attempt, Payment

WIDE = 160
_SMALLEST = 0.00005  # US dollars that are shown
_NONE_USED = "No finished shard uses a reply yet."
_ANSWERED_BY = "answered by"
_TEXTS = ("call", "asked (UTC)", "stage", "model", _ANSWERED_BY, "item", "subtype", "status")
_COLUMNS = {"call": "id", "asked (UTC)": "asked", "stage": "stage", "model": "model", "status": "status",
            "USD": "usd", "s": "latency_seconds"}  # fmt: skip
_WIDE_COLUMNS = {"item": "item", "subtype": "subtype"}
_APART = {"twin": "unmodified questions (twins)", "rewrite": "rewriting of sources"}


def calls_view(found: CallList, width: int) -> RenderableType:
    """`width` is that of the terminal: item and subtype are shown where there is room for them. Replies of another
    model than the one asked name it in a column of its own."""
    if not found.rows:
        return Text("No call is like that.")
    shown = _COLUMNS | (_WIDE_COLUMNS if width >= WIDE else {})
    places = {title: found.columns.index(name) for title, name in shown.items()}
    rows = [[_cell(title, row[at]) for title, at in places.items()] for row in found.rows]
    others = _others(found)
    titles = [*places]
    if any(others):
        titles.append(_ANSWERED_BY)
        rows = [[*row, other] for row, other in zip(rows, others, strict=True)]
    count = counted(found.total, "call")
    if found.total > len(found.rows):
        count = f"{len(found.rows):,} of {count}; --most N for more"
    return Group(_table(titles, rows, whole=("call", "item", "asked (UTC)")), Text(), Text(count))


def _others(found: CallList) -> list[str]:
    """The model that each provider reported, "" where it is the one asked or none was reported."""
    asked, reported = found.columns.index("model"), found.columns.index("model_reported")
    return [str(row[reported]) if row[reported] not in (None, row[asked]) else "" for row in found.rows]


def cost_view(
    lines: Sequence[CostLine],
    paid: float,
    unused: Sequence["Payment"],
    kept: Mapping[str, int],
    unanswered: Sequence["Attempt"],
) -> RenderableType:
    """What the replies in use are worth, by stage and model and by subtype, then what was paid for this build, what of
    that is not used yet, and what requests without a reply may have cost. `kept` counts the candidates in the build by
    subtype."""
    if not lines and not unused and not unanswered:
        return Text("This build asked no model.")
    used, idle = sum(line.usd or 0 for line in lines), sum(payment.usd for payment in unused)
    waiting = Counter(payment.model for payment in unused)
    models = f": {', '.join(f'{model} {count:,}' for model, count in sorted(waiting.items()))}" if waiting else ""
    notes = [
        f"in use    {used:.4f} US dollars of replies, each counted once{_per_kept(used, sum(kept.values()))}",
        f"paid      {paid:.4f} US dollars by this build{_paid_by_others(used - paid + idle)}",
        f"waiting   {idle:.4f} US dollars for {len(unused):,} paid replies that no finished shard uses yet (the next",
        f"          run of this build uses them){models}",
    ]
    if not unused:
        notes[2:] = ["waiting   nothing: finished shards use all replies that were paid"]
    if unanswered:
        notes[2:2] = _possible(unanswered)
    tables = [_sum_by_model(lines), Text(), _sum_by_subtype(lines, kept)] if lines else [Text(_NONE_USED)]
    return Group(*tables, Text(), *(Text(note) for note in notes))


def _paid_by_others(usd: float) -> str:
    return f"; other builds paid {usd:.4f} of what is in use" if usd >= _SMALLEST else ""


def _possible(unanswered: Sequence["Attempt"]) -> list[str]:
    worst, count = sum(attempt.worst_usd for attempt in unanswered), len(unanswered)
    went = f"{counted(count, 'request')} that went out and brought"
    return [
        f"possible  up to {worst:.4f} US dollars more, if the provider billed {went} no reply",
        "          (broken connections, timeouts, kills, or still in flight); a budget counts them",
    ]


def _sum_by_model(lines: Sequence[CostLine]) -> Table:
    groups: dict[tuple[str, str], list[CostLine]] = defaultdict(list)
    for line in lines:
        groups[line.stage, line.model].append(line)
    rows = [[stage, model, *_counts(group), _money(group)] for (stage, model), group in groups.items()]
    rows.append(["total", "", *_counts(lines), _money(lines)])
    return _table(("stage", "model", "calls", "not ok", "tokens in", "tokens out", "US dollars"), rows)


def _sum_by_subtype(lines: Sequence[CostLine], kept: Mapping[str, int]) -> Table:
    groups: dict[str, list[CostLine]] = defaultdict(list)
    for line in lines:
        groups[_APART.get(line.stage, line.subtype or "")].append(line)
    order = list(dict.fromkeys((*kept, *groups)))
    rows = [
        [
            name.replace("_", " "),
            *_counts(group)[:2],
            _money(group),
            f"{kept[name]:,}" if name in kept else "",
            f"{sum(line.usd or 0 for line in group) / kept[name]:.4f}" if kept.get(name) else "",
        ]
        for name, group in sorted(groups.items(), key=lambda found: order.index(found[0]))
    ]
    return _table(("subtype", "calls", "not ok", "US dollars", "kept", "for one kept"), rows)


def _per_kept(used: float, kept: int) -> str:
    return f"; {used / kept:.4f} for each of {kept:,} kept candidates" if kept else "; no candidate is kept yet"


def _counts(lines: Iterable[CostLine]) -> list[str]:
    numbers = [(line.calls, line.not_ok, line.prompt_tokens, line.completion_tokens) for line in lines]
    return [f"{sum(column):,}" for column in zip(*numbers, strict=True)] or ["0"] * 4


def _money(lines: Iterable[CostLine]) -> str:
    """Calls without a price are told, not taken for free."""
    priced = [line.usd for line in lines if line.usd is not None]
    unpriced = sum(line.unpriced for line in lines)
    if not priced:
        return "no price"
    return f"{sum(priced):.4f}{f' + {unpriced:,} without a price' if unpriced else ''}"


def _cell(title: str, value: object) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return value.astimezone(UTC).strftime("%m-%d %H:%M")
        case float():
            return f"{value:.1f}" if title == "s" else f"{value:.4f}"
        case _:
            return str(value)


def _table(names: Sequence[str], rows: Iterable[Sequence[str]], whole: Sequence[str] = ()) -> Table:
    """Cells as they are: data are never read as formatting."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in names:
        justify = "left" if name in _TEXTS else "right"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=name in whole)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
