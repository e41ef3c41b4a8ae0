"""Ids of rows that a source gives twice: which of the two a lineage or a rating means could not be said. The ids of
another config may begin anew."""

from collections import Counter

from sources.base import QuarantineReason
from sources.rows import UnusableRowError


class RowIds:
    """Those of the usable rows of one reading."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, config: str, source_id: str) -> None:
        """Raises UnusableRowError for an id that stands there already."""
        self._counts[config, source_id] += 1
        count = self._counts[config, source_id]
        if count > 1:
            raise UnusableRowError(QuarantineReason.DUPLICATE_ID, f"usable row number {count} with this id")
