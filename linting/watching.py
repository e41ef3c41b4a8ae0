"""What the linter is busy with, told only where it takes longer than a glance."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
_PATIENCE_SECONDS = 2.0
_MANY_ROWS = 20_000
"""Checks of so many rows take longer than that, which is known before they begin."""
_EVERY = 10_000


class Watch:
    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock, self._start = tell, clock, clock()

    def begin(self, check: str, split: str, rows: int) -> None:
        if rows >= _MANY_ROWS or self._is_long():
            self._tell(f"lint: {check} of {split}, {rows:,} rows")

    def reading(self, rows: Iterable[Item]) -> Iterator[Item]:
        for number, row in enumerate(rows, 1):
            if number % _EVERY == 0 and self._is_long():
                self._tell(f"lint: {number:,} rows read")
            yield row

    def _is_long(self) -> bool:
        return self._clock() - self._start > _PATIENCE_SECONDS
