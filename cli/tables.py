"""How answers look in a terminal, and the tables that all of them are."""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from storage.chains import Fact, Node
from storage.funnel import QuarantinedRow

_TEXTS = (
    "build",
    "made by",
    "judged by",
    "last run",
    "how it ended",
    "source",
    "subtype",
    "where",
    "why items left",
    "row",
    "reason",
    "detail",
    "stage",
    "model",
)


def make_table(*names: str) -> Table:
    """In 80 columns numbers are whole, and texts are folded and not cut."""
    table = Table(box=None, header_style="bold", pad_edge=False, collapse_padding=True)
    for name in names:
        left = name in _TEXTS
        table.add_column(Text(name), justify="left" if left else "right", overflow="fold", no_wrap=not left)
    return table


def plain(*values: object) -> list[Text]:
    """Cells as they are: data are never read as formatting."""
    return [Text(str(value)) for value in values]


def quarantine_table(rows: Sequence[QuarantinedRow]) -> Table:
    table = make_table("source", "row", "reason", "detail")
    for row in rows:
        table.add_row(*plain(row.source, row.source_id, row.reason, row.detail))
    return table


def answer_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Of columns that anybody named: all are taken for texts."""
    table = make_table(*columns)
    for column in table.columns:
        column.justify, column.no_wrap = "left", False
    for row in rows:
        table.add_row(*plain(*("" if value is None else value for value in row)))
    return table


def chain_tree(node: Node) -> Tree:
    tree = Tree(_node_text(node))
    _grow(tree, node)
    return tree


def _grow(tree: Tree, node: Node) -> None:
    for child in node.children:
        _grow(tree.add(_node_text(child)), child)


def _told(name: str, value: Fact) -> Fact:
    """Of parameters, which are JSON, those that were given: `--json` has the rest."""
    if name != "parameters":
        return value
    return json.dumps(_given(json.loads(str(value))), ensure_ascii=False, separators=(",", ":"))


def _given(value: object) -> object:
    if not isinstance(value, dict):
        return value
    inside = {key: _given(one) for key, one in cast("dict[str, object]", value).items()}
    return {key: one for key, one in inside.items() if one or (one == 0 and one is not False)}


def _node_text(node: Node) -> Text:
    facts = "  ".join(f"{name}={_told(name, value)}" for name, value in node.facts.items())
    relation = f"{node.relation} " if node.relation else ""
    return Text.assemble((relation, "dim"), (node.kind, "bold"), f" {node.id}  ", (facts, "dim"))
