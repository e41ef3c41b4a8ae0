"""The deny list: rows that were reported as flawed at their source (`known_bad_rows.yaml`)."""

from functools import cache
from pathlib import Path

import yaml

from core.records import Record
from sources.base import QuarantineReason
from sources.rows import UnusableRowError

FILE = Path(__file__).with_name("known_bad_rows.yaml")


class BadRows(Record):
    ids: tuple[str, ...]
    why: str
    report: str


def refuse_known_bad(source: str, own_id: str) -> None:
    """Raises KNOWN_BAD_ROW with the reason and the address of the report. `own_id` is the id in the data set."""
    found = _rows().get((source, own_id))
    if found is not None:
        raise UnusableRowError(QuarantineReason.KNOWN_BAD_ROW, f"{found.why} ({found.report})")


@cache
def _rows() -> dict[tuple[str, str], BadRows]:
    content = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    listed = [(source, BadRows.model_validate(entry)) for source, entries in content.items() for entry in entries]
    return {(source, own_id): entry for source, entry in listed for own_id in entry.ids}
