"""The whole chain of one item: what it came from, up to the row of the source and to the run and the recipe, and what
came of it. Each question to the tables is one SQL file whose columns are the facts that are shown."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from duckdb import DuckDBPyConnection

from core.records import Record
from storage.database import load_query, named_rows
from storage.lookup import ID_KINDS, Item, find_item
from storage.rows import INJECTED_FROM, MASKED_BY, READ_FROM, REWRITTEN_FROM, SHOWS, TAKES_PICTURES_OF

Fact = str | int | float | bool
Columns = dict[str, Fact]

MOST_OFFSPRING = 100
_LINKS = {"shard_key": ("made_by", "shard"), "run_id": ("in_run", "run"), "recipe_id": ("by_recipe", "recipe")}
_ABOUT = {
    "decision": "decided_on",
    "call": "asked_about",
    "vote": "voted_on",
    "premise_vote": "verified",
    "answer": "answers",
    "pair": "about",
    "annotation": "judged_on",
}
_NOT_SHOWN = ("kind", "id", "parent", "source_row", "record", *_LINKS)
_OFFSPRING = {
    "sample": ("chain_decisions", "chain_down", "chain_builds"),
    "candidate": ("chain_decisions", "chain_judgements", "chain_published", "chain_builds"),
    "question": ("chain_premise_decisions", "chain_premise_calls", "chain_published", "chain_builds"),
    "pair": ("chain_pair_questions", "chain_decisions", "chain_premise_calls"),
    "answer": (),
    "premise_vote": (),
    "decision": ("chain_builds",),
    "call": ("chain_call_votes",),
    "vote": (),
    "annotation": (),
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
    item = Item(ID_KINDS.get(text[:4], "source_row"), text)
    facts = _facts(connection, item) if text[:4] in ID_KINDS else {}
    if not facts:
        item = find_item(connection, text)
        facts = _facts(connection, item)
    node = _describe(connection, item, "", facts)
    above = next((facts[name] for name in ("parent", "source_row", "item") if name in facts), "")
    asked: Columns = {"id": item.id, "kind": item.kind, "above": above, "most": MOST_OFFSPRING}
    offspring = [leaf for query in _OFFSPRING[item.kind] for leaf in _leaves(connection, query, asked)]
    return node.model_copy(update={"children": (*node.children, *offspring)})


def _describe(connection: DuckDBPyConnection, item: Item, relation: str, facts: Columns) -> Node:
    """With all that it came from; without facts when nothing but its id is known (a donor of another lineage file)."""
    links = [(Item(kind, str(facts[name])), label) for name, (label, kind) in _LINKS.items() if name in facts]
    children = [
        *(_origins(connection, facts) if "record" in facts else ()),
        *_subject(connection, item.kind, facts),
        *(_describe(connection, above, label, _facts(connection, above)) for above, label in links),
    ]
    return Node(
        kind=item.kind, id=item.id, relation=relation, facts=_without(facts, *_NOT_SHOWN), children=tuple(children)
    )


def _origins(connection: DuckDBPyConnection, facts: Columns) -> Iterator[Node]:
    """The same as the edges say, read from the record, which is at hand: that spares two scans of the largest table."""
    record: dict[str, Any] = json.loads(str(facts["record"]))
    edits = [edit for flaw in record.get("flaws", ()) for edit in flaw["edits"]]
    if "source_row" in facts:
        yield Node(kind="source_row", id=str(facts["source_row"]), relation=READ_FROM, facts={})
    samples = {str(facts["parent"]): INJECTED_FROM} if "parent" in facts else {}
    samples |= {record["rewritten_from"]: REWRITTEN_FROM} if record.get("rewritten_from") else {}
    samples |= {edit["donor"]: TAKES_PICTURES_OF for edit in edits if "donor" in edit}
    for sample, relation in samples.items():
        item = Item("sample", sample)
        yield _describe(connection, item, relation, _facts(connection, item))
    yield from _pictures(SHOWS, record.get("pictures", ()))
    yield from _pictures(MASKED_BY, [edit["mask"] for edit in edits if "mask" in edit])


def _pictures(relation: str, pictures: Sequence[dict[str, Fact]]) -> Iterator[Node]:
    for sha256, picture in {str(picture["sha256"]): picture for picture in pictures}.items():
        yield Node(kind="picture", id=sha256, relation=relation, facts=_without(picture, "sha256"))


def _subject(connection: DuckDBPyConnection, kind: str, facts: Columns) -> Iterator[Node]:
    """What was decided on and what that became, where it is something else; what a model was asked about; what was
    voted on, and in which call."""
    if kind not in _ABOUT or not facts:
        return
    about = str(facts["item"])
    related = {about: _ABOUT[kind]}
    related.setdefault(str(facts.get("output", about)), "produced")
    for name, relation in related.items():
        item = Item(ID_KINDS.get(name[:4], "source_row"), name)
        yield _describe(connection, item, relation, _facts(connection, item))
    if "call" in facts:
        call = Item("call", str(facts["call"]))
        shown = _without(_facts(connection, call), *_NOT_SHOWN, "item")
        yield Node(kind=call.kind, id=call.id, relation="voted_in", facts=shown)


def _facts(connection: DuckDBPyConnection, item: Item) -> Columns:
    return next(iter(_fetch(connection, f"chain_{item.kind}", {"id": item.id})), {})


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
    executed = connection.execute(sql, {name: value for name, value in asked.items() if f"${name}" in sql})
    return [{name: _as_fact(value) for name, value in row.items() if value is not None} for row in named_rows(executed)]


def _as_fact(value: Fact | datetime) -> Fact:
    return value.isoformat() if isinstance(value, datetime) else value


def _without(columns: Columns, *names: str) -> Columns:
    return {name: value for name, value in columns.items() if name not in names}
