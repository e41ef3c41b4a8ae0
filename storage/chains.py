"""The whole chain of one item: what it came from, up to the row of the source and to the run and the recipe, and what
came of it. Each question to the tables is one SQL file whose columns are the facts that are shown."""

from collections.abc import Iterator
from datetime import datetime

from duckdb import DuckDBPyConnection

from core.records import Record
from storage.database import load_query
from storage.lookup import ID_KINDS, Item, find_item

Fact = str | int | float | bool
Columns = dict[str, Fact]

MOST_OFFSPRING = 100
_LINKS = {"shard_key": ("made_by", "shard"), "run_id": ("in_run", "run"), "recipe_id": ("by_recipe", "recipe")}
_NOT_SHOWN = ("kind", "id", "parent", "source_row", *_LINKS)
_OFFSPRING = {
    "sample": ("chain_decisions", "chain_down", "chain_builds"),
    "candidate": ("chain_decisions", "chain_judgements", "chain_down", "chain_builds"),
    "decision": ("chain_builds",),
    "picture": ("chain_down",),
    "source_row": ("chain_decisions", "chain_down"),
    "shard": (),
    "run": ("chain_run_shards", "chain_run_releases"),
    "recipe": ("chain_recipe_runs",),
    "release": ("chain_release_items", "chain_builds"),
}


class Node(Record):
    """One item. `relation` says how it hangs on the node above; the root has none. Facts that are not known are absent;
    times are in ISO 8601. The kind `more` stands for items that are left out: its id is their number."""

    kind: str
    id: str
    relation: str = ""
    facts: dict[str, Fact]
    children: tuple["Node", ...] = ()


def build_chain(connection: DuckDBPyConnection, text: str) -> Node:
    """Raises StorageError when `text` names no item or several (see `find_item`)."""
    item = find_item(connection, text)
    facts = _facts(connection, item)
    node = _describe(connection, item, "", facts)
    asked: Columns = {"id": item.id, "kind": item.kind, "above": _above(facts), "most": MOST_OFFSPRING}
    offspring = [leaf for query in _OFFSPRING[item.kind] for leaf in _leaves(connection, query, asked)]
    return node.model_copy(update={"children": (*node.children, *offspring)})


def _describe(connection: DuckDBPyConnection, item: Item, relation: str, facts: Columns) -> Node:
    """With all that it came from; without facts when nothing but its id is known (a donor of another lineage file)."""
    links = [(Item(kind, str(facts[name])), label) for name, (label, kind) in _LINKS.items() if name in facts]
    children = [
        *(_origins(connection, item) if item.kind in ("sample", "candidate") else ()),
        *(_subject(connection, facts) if item.kind == "decision" else ()),
        *(_describe(connection, above, label, _facts(connection, above)) for above, label in links),
    ]
    return Node(
        kind=item.kind, id=item.id, relation=relation, facts=_without(facts, *_NOT_SHOWN), children=tuple(children)
    )


def _origins(connection: DuckDBPyConnection, item: Item) -> Iterator[Node]:
    for leaf in _leaves(connection, "chain_up", {"id": item.id}):
        if leaf.kind == "sample":
            sample = Item(leaf.kind, leaf.id)
            yield _describe(connection, sample, leaf.relation, _facts(connection, sample))
        else:
            yield leaf


def _subject(connection: DuckDBPyConnection, facts: Columns) -> Iterator[Node]:
    """What was decided on, and what it became, where that is something else."""
    decided_on = str(facts["item"])
    for relation, item in (("decided_on", decided_on), ("produced", str(facts.get("output", decided_on)))):
        if relation == "decided_on" or item != decided_on:
            found = Item(ID_KINDS.get(item[:4], "source_row"), item)
            yield _describe(connection, found, relation, _facts(connection, found))


def _facts(connection: DuckDBPyConnection, item: Item) -> Columns:
    return next(iter(_fetch(connection, f"chain_{item.kind}", {"id": item.id})), {})


def _above(facts: Columns) -> Fact:
    """The item whose decision brought this one into being."""
    return facts.get("parent", facts.get("source_row", ""))


def _leaves(connection: DuckDBPyConnection, query: str, asked: Columns) -> Iterator[Node]:
    rows = _fetch(connection, query, asked)
    for facts in rows:
        yield Node(
            kind=str(facts["kind"]),
            id=str(facts["id"]),
            relation=str(facts["relation"]),
            facts=_without(facts, "kind", "id", "relation", "total"),
        )
    left_out = int(rows[0].get("total", 0)) - len(rows) if rows else 0
    if left_out > 0:
        yield Node(kind="more", id=str(left_out), relation=str(rows[-1]["relation"]), facts={})


def _fetch(connection: DuckDBPyConnection, query: str, asked: Columns) -> list[Columns]:
    sql = load_query(query)
    cursor = connection.execute(sql, {name: value for name, value in asked.items() if f"${name}" in sql})
    names = [column[0] for column in cursor.description or ()]
    return [
        {name: _as_fact(value) for name, value in zip(names, row, strict=True) if value is not None}
        for row in cursor.fetchall()
    ]


def _as_fact(value: Fact | datetime) -> Fact:
    return value.isoformat() if isinstance(value, datetime) else value


def _without(columns: Columns, *names: str) -> Columns:
    return {name: value for name, value in columns.items() if name not in names}
