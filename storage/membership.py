"""Which items make up a named build. A build is a set of ids over records that are never changed, so the same candidate
can belong to several builds and a build can grow."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from duckdb import DuckDBPyConnection
from pydantic import AwareDatetime

from core.makers import name_makers, name_panels
from core.recipe import Recipe
from core.records import Record
from core.taxonomy import PREMISES, AnySubtype, PremiseSubtype, Subtype
from storage.database import load_query, named_rows


class ItemKind(StrEnum):
    SAMPLE = "sample"
    CANDIDATE = "candidate"
    DECISION = "decision"
    RELEASE = "release"
    RECIPE = "recipe"
    ORIGIN = "origin"
    QUESTION = "question"


class Member(NamedTuple):
    """`rank` is the place in the build's own order, from 0."""

    item_id: str
    subtype: AnySubtype | None
    rank: int


class BuildSummary(Record):
    """How many items of each kind a build has, who made and judged them, and its last run; `outcome` is None while that
    goes on or when it was killed. A name under which no run has kept anything has no `models`: it is no build yet."""

    build: str
    runs: int
    samples: int
    candidates: int
    decisions: int
    releases: int
    models: str | None
    panel: str | None
    last_run: str | None
    last_started: AwareDatetime | None
    outcome: str | None


def store_members(
    connection: DuckDBPyConnection, build: str, kind: ItemKind, items: Iterable[Member], *, replace: bool
) -> None:
    """`replace`: the build has exactly these items of the kind afterwards; else they are added where absent."""
    ids, subtypes, ranks = [list(column) for column in zip(*items, strict=True)] or ([], [], [])
    # By way of Arrow it would be faster for a million items, but pyarrow loads pandas to look at a list.
    connection.execute(load_query("stage_items"), {"ids": ids, "subtypes": subtypes, "ranks": ranks})
    scope = {"build": build, "kind": kind.value}
    if replace:
        connection.execute(load_query("remove_members"), scope)
    connection.execute(load_query("add_members"), scope)
    connection.execute("DROP TABLE staged_items")


def remove_overruled(connection: DuckDBPyConnection, build: str) -> None:
    """Leaves one decision on each item at each stage but injection."""
    connection.execute(load_query("remove_overruled"), {"build": build})


def find_members(connection: DuckDBPyConnection, build: str, kind: ItemKind) -> list[Member]:
    rows = connection.execute(load_query("members"), {"build": build, "kind": kind.value}).fetchall()
    return [Member(item_id, _as_subtype(subtype) if subtype else None, rank) for item_id, subtype, rank in rows]


def _as_subtype(value: str) -> AnySubtype:
    return PremiseSubtype(value) if value in PREMISES else Subtype(value)


def find_builds(connection: DuckDBPyConnection) -> list[BuildSummary]:
    """Last run first."""
    recipes: defaultdict[str, list[Recipe]] = defaultdict(list)
    for build, kind, record in connection.execute(load_query("build_recipes"), {"build": None}).fetchall():
        if kind == ItemKind.RECIPE:
            recipes[build].append(Recipe.model_validate_json(record))
    rows = named_rows(connection.execute(load_query("builds")))
    return [BuildSummary.model_validate(row | _makers(recipes[row["build"]])) for row in rows]


def _makers(recipes: Sequence[Recipe]) -> dict[str, str | None]:
    return {"models": name_makers(recipes) or None, "panel": name_panels(recipes) or None}
