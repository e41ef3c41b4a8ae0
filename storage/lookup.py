"""From what a user types to one item: the whole id, the beginning of one, or a sentence that says which was meant."""

from typing import NamedTuple

from duckdb import DuckDBPyConnection

from core.errors import StorageError
from storage.database import load_query

SHORTEST_PREFIX = 8
ID_KINDS = {
    "smp_": "sample",
    "cnd_": "candidate",
    "dec_": "decision",
    "ann_": "annotation",
    "cal_": "call",
    "vot_": "vote",
    "prq_": "question",
    "prp_": "pair",
    "pra_": "answer",
    "prv_": "premise_vote",
    "run_": "run",
    "rcp_": "recipe",
    "rel_": "release",
}
_SHOWN = 5
_LAST_CHARACTER = "\U0010ffff"


class Item(NamedTuple):
    """`kind` is sample, candidate, question, pair, answer, premise_vote, decision, call, vote, annotation, picture,
    source_row, shard, run, recipe or release."""

    kind: str
    id: str


def find_item(connection: DuckDBPyConnection, text: str) -> Item:
    """`text` is an id of any stage, a row `SOURCE:ID`, the name of a release, or at least the first 8 characters of an
    id. Raises StorageError when there is none or more than one."""
    by_prefix_first = (_find_by_prefix, _find_by_name)
    for find in by_prefix_first if text[:4] in ID_KINDS else reversed(by_prefix_first):
        found = find(connection, text)
        if len(found) > 1:
            shown = ", ".join(item.id for item in found[:_SHOWN])
            more = " and more" if len(found) > _SHOWN else ""
            raise StorageError(f"The id {text} is the beginning of several: {shown}{more}.", "Give more characters.")
        if found:
            return found[0]
    raise StorageError(f"There is no item {text}.", _suggest(connection, text))


def _find_by_name(connection: DuckDBPyConnection, text: str) -> list[Item]:
    return [Item(*row) for row in connection.execute(load_query("find_by_name"), {"id": text}).fetchall()]


def _find_by_prefix(connection: DuckDBPyConnection, text: str) -> list[Item]:
    if len(text) < SHORTEST_PREFIX:
        return []
    bounds = {"start": text, "end": text + _LAST_CHARACTER, "most": _SHOWN + 1}
    return [Item(*row) for row in connection.execute(load_query("find_by_prefix"), bounds).fetchall()]


def _suggest(connection: DuckDBPyConnection, text: str) -> str:
    if len(text) < SHORTEST_PREFIX:
        return f"Give the whole id or at least its first {SHORTEST_PREFIX} characters."
    nearest = connection.execute(load_query("find_nearest"), {"id": text}).fetchone()
    if nearest is not None:
        return f"Did you mean {nearest[0]}?"
    return 'List some with `flawbench sql "SELECT id, subtype FROM candidates LIMIT 20"`.'
