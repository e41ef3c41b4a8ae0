"""How far a run is: bars with rate and time left in a terminal, plain lines in the log elsewhere."""

import logging
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

_LINE_SECONDS = 5.0
_logger = logging.getLogger("flawbench.progress")


class RunProgress(Protocol):
    """`expect` may be called again when a stage turns out to be longer."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def expect(self, stage: str, items: int) -> None: ...
    def advance(self, stage: str, items: int) -> None: ...


def open_progress(paid: Callable[[], float] | None) -> RunProgress:
    """`paid`: US dollars so far, for runs that ask models."""
    return BarProgress(paid) if sys.stderr.isatty() else LineProgress(paid)


class _RateColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="progress.data.speed")


class _PaidColumn(ProgressColumn):
    def __init__(self, paid: Callable[[], float]) -> None:
        super().__init__()
        self._paid = paid

    def render(self, task: Task) -> Text:
        return Text(f"{self._paid():.2f} USD")


class BarProgress:
    def __init__(self, paid: Callable[[], float] | None) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            *([_PaidColumn(paid)] if paid else []),
            console=Console(stderr=True),
        )
        self._stages: dict[str, TaskID] = {}
        self._totals: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def expect(self, stage: str, items: int) -> None:
        self._totals[stage] = self._totals.get(stage, 0) + items
        if stage not in self._stages:
            self._stages[stage] = self._bars.add_task(stage, total=0)
        self._bars.update(self._stages[stage], total=self._totals[stage])

    def advance(self, stage: str, items: int) -> None:
        self._bars.advance(self._stages[stage], items)


class LineProgress:
    """One line a stage at most every five seconds, and one when it is complete."""

    def __init__(self, paid: Callable[[], float] | None) -> None:
        self._paid = paid
        self._started: dict[str, float] = {}
        self._last: dict[str, float] = {}
        self._totals: dict[str, int] = {}
        self._done: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def expect(self, stage: str, items: int) -> None:
        now = time.monotonic()
        self._started.setdefault(stage, now)
        self._last.setdefault(stage, now)
        self._totals[stage] = self._totals.get(stage, 0) + items

    def advance(self, stage: str, items: int) -> None:
        self._done[stage] = self._done.get(stage, 0) + items
        now = time.monotonic()
        complete = self._done[stage] >= self._totals[stage]
        if complete or now - self._last[stage] >= _LINE_SECONDS:
            self._last[stage] = now
            self._write(stage, now)

    def _write(self, stage: str, now: float) -> None:
        done, total = self._done[stage], self._totals[stage]
        rate = done / max(now - self._started[stage], 1e-3)
        left = (total - done) / rate if rate else 0.0
        money = f" paid={self._paid():.4f}USD" if self._paid else ""
        _logger.info("stage=%s done=%d/%d rate=%.1f/s left=%.0fs%s", stage, done, total, rate, left, money)
