"""How many items came to each stage of a build and why the others left it: read from the decisions, so that it is right for
a build that was stopped, resumed or grown as well."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from core.errors import StorageError
from core.records import Record, Stage
from core.taxonomy import Subtype
from storage.database import load_query

OVER_TARGET = "over_target"
DUPLICATE = "duplicate"


class SourceFunnel(Record):
    """Rows of one source: `read` = `quarantined` + those that became samples = all of `unsampled` + `sampled`.

    `quarantined` and `unsampled` (duplicates and not selected) are counts by reason."""

    source: str
    read: int
    quarantined: dict[str, int]
    duplicates: int
    unsampled: dict[str, int]
    sampled: int


class SubtypeFunnel(Record):
    """Candidates of one subtype: `attempted` = `rejected` + `injected`; `injected` = `dropped` + `kept` + `unfiltered`;
    `kept` = `unselected` + `selected` + `waiting`. `rejected`, `dropped` and `unselected` are counts by reason.

    `unfiltered` and `waiting` are items that the next stage has not decided on; they are 0 in a finished build."""

    subtype: Subtype
    attempted: int
    rejected: dict[str, int]
    injected: int
    dropped: dict[str, int]
    kept: int
    unfiltered: int
    unselected: dict[str, int]
    over_target: int
    selected: int
    waiting: int


class Funnel(Record):
    """Sources by name, subtypes in the order of the taxonomy."""

    build: str
    sources: tuple[SourceFunnel, ...]
    subtypes: tuple[SubtypeFunnel, ...]


class QuarantinedRow(NamedTuple):
    source: str
    source_id: str
    reason: str
    detail: str


def find_faults(funnel: Funnel) -> list[str]:
    """What does not add up in a build that is finished, one sentence each; empty when all does."""
    return [*_source_faults(funnel.sources), *_subtype_faults(funnel.subtypes)]
