"""The whole chain of one item: what it came from, up to the row of the source and to the run and the recipe, and what
came of it. Each question to the tables is one SQL file whose columns are the facts that are shown."""

from collections.abc import Iterator
from datetime import datetime

from duckdb import DuckDBPyConnection

from core.records import Record
from storage.database import load_query
from storage.lookup import find_item

Fact = str | int | float | bool
Columns = dict[str, Fact]

MOST_OFFSPRING = 100
_LINKS = {"shard_key": ("made_by", "shard"), "run_id": ("in_run", "run"), "recipe_id": ("by_recipe", "recipe")}
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
    node = _describe(connection, item.kind, item.id, "")
    offspring = [child for query in _OFFSPRING[item.kind] for child in _leaves(connection, query, item.id)]
    return node.model_copy(update={"children": (*node.children, *offspring)})


def _describe(connection: DuckDBPyConnection, kind: str, item: str, relation: str) -> Node:
    """With all that it came from; without facts when nothing but its id is known (a donor of another lineage file)."""
    facts = next(iter(_fetch(connection, f"chain_{kind}", item)), {})
    links = [(*_LINKS[name], str(facts.pop(name))) for name in _LINKS if name in facts]
    children = [
        *(_origins(connection, item) if kind in ("sample", "candidate") else ()),
        *(_subject(connection, facts) if kind == "decision" else ()),
        *(_describe(connection, above, target, label) for label, above, target in links),
    ]
    return Node(kind=kind, id=item, relation=relation, facts=_without(facts, "kind", "id"), children=tuple(children))


def _origins(connection: DuckDBPyConnection, item: str) -> Iterator[Node]:
    for leaf in _leaves(connection, "chain_up", item):
        yield _describe(connection, "sample", leaf.id, leaf.relation) if leaf.kind == "sample" else leaf


def _subject(connection: DuckDBPyConnection, facts: Columns) -> Iterator[Node]:
    for name, relation in (("item", "decided_on"), ("output", "produced")):
        if name in facts and (name == "item" or facts[name] != facts["item"]):
            item = str(facts[name])
            kind = {"smp_": "sample", "cnd_": "candidate"}.get(item[:4], "source_row")
            yield _describe(connection, kind, item, relation)


def _leaves(connection: DuckDBPyConnection, query: str, item: str) -> Iterator[Node]:
    rows = _fetch(connection, query, item)
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


def _fetch(connection: DuckDBPyConnection, query: str, item: str) -> list[Columns]:
    parameters: Columns = {"id": item} | ({"most": MOST_OFFSPRING} if query == "chain_down" else {})
    cursor = connection.execute(load_query(query), parameters)
    names = [column[0] for column in cursor.description or ()]
    return [
        {name: _as_fact(value) for name, value in zip(names, row, strict=True) if value is not None}
        for row in cursor.fetchall()
    ]


def _as_fact(value: Fact | datetime) -> Fact:
    return value.isoformat() if isinstance(value, datetime) else value


def _without(columns: Columns, *names: str) -> Columns:
    return {name: value for name, value in columns.items() if name not in names}
