"""What was asked of models and what it cost, read from the calls of the lineage."""

from typing import NamedTuple

from duckdb import DuckDBPyConnection

from core.records import Record
from core.votes import Vote
from storage.database import load_query, named_rows


class CallFilter(Record):
    """None stands for all. `model` is a part of its name, `cost_at_least` in US dollars; `other_model` keeps calls
    whose provider reported another model than the one asked; `order` is what comes first: the dearest or the newest."""

    build: str | None = None
    stage: str | None = None
    model: str | None = None
    status: str | None = None
    cost_at_least: float | None = None
    other_model: bool = False
    order: str = "time"
    most: int = 50


class CallList(NamedTuple):
    """`rows` are at most as many as wanted, `total` counts all that the filter lets through."""

    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    total: int


class CostLine(NamedTuple):
    """Of one stage, model and subtype. `usd` is None where no call has a price, `unpriced` counts those without."""

    stage: str
    model: str
    subtype: str | None
    calls: int
    not_ok: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None
    unpriced: int


def find_calls(connection: DuckDBPyConnection, wanted: CallFilter) -> CallList:
    cursor = connection.execute(load_query("calls"), wanted.model_dump())
    *columns, _ = (column[0] for column in cursor.description or ())
    rows = cursor.fetchall()
    return CallList(tuple(columns), [row[:-1] for row in rows], rows[0][-1] if rows else 0)


def sum_costs(connection: DuckDBPyConnection, build: str) -> list[CostLine]:
    return [CostLine(*row) for row in connection.execute(load_query("cost"), {"build": build}).fetchall()]


def find_used_replies(connection: DuckDBPyConnection, build: str) -> set[str]:
    return {key for (key,) in connection.execute(load_query("used_replies"), {"build": build}).fetchall()}


def find_votes(connection: DuckDBPyConnection, build: str) -> list[Vote]:
    """Of the candidates of a build that passed the programmatic filters, by item."""
    return [Vote(**row) for row in named_rows(connection.execute(load_query("build_votes"), {"build": build}))]


def find_panels(connection: DuckDBPyConnection, build: str) -> dict[str, str]:
    """The models that voted on each candidate and each judged sample of a build, joined by `+`."""
    return dict(connection.execute(load_query("build_panels"), {"build": build}).fetchall())


def find_prompts(connection: DuckDBPyConnection, build: str) -> tuple[str, ...]:
    """`name@version` of the prompts of a build, sorted."""
    return tuple(prompt for (prompt,) in connection.execute(load_query("build_prompts"), {"build": build}).fetchall())


def find_twins(connection: DuckDBPyConnection, build: str) -> dict[str, bool]:
    """Whether each judged sample of a build is a valid twin."""
    return dict(connection.execute(load_query("build_twins"), {"build": build}).fetchall())
