"""How far a run is: bars with rate and time left in a terminal, plain lines in the log elsewhere."""

import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
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
    """What is asked of a stage comes in rounds: how many more are needed shows when one is done. Each call of `expect`
    starts a round of so many items, which is counted for itself."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def expect(self, stage: str, items: int) -> None: ...
    def advance(self, stage: str, items: int) -> None: ...


def open_progress(paid: Callable[[], float] | None) -> RunProgress:
    """`paid`: US dollars so far, for runs that ask models."""
    return BarProgress(paid, Console(stderr=True)) if sys.stderr.isatty() else LineProgress(paid)


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
    def __init__(self, paid: Callable[[], float] | None, console: Console) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            _RateColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            *([_PaidColumn(paid)] if paid else []),
            console=console,
            expand=True,
        )
        self._stages: dict[str, TaskID] = {}
        self._rounds: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def expect(self, stage: str, items: int) -> None:
        self._rounds[stage] += 1
        if stage not in self._stages:
            self._stages[stage] = self._bars.add_task(stage, total=items)
        else:
            self._bars.reset(self._stages[stage], total=items, description=f"{stage}, round {self._rounds[stage]}")

    def advance(self, stage: str, items: int) -> None:
        self._bars.advance(self._stages[stage], items)


@dataclass(slots=True)
class _Round:
    """Times are those of the clock; `told` is that of the last line."""

    number: int
    total: int
    started: float
    told: float
    done: int = 0


class LineProgress:
    """One line a stage at most every five seconds, and one when a round is complete."""

    def __init__(self, paid: Callable[[], float] | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._paid = paid
        self._clock = clock
        self._rounds: dict[str, _Round] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def expect(self, stage: str, items: int) -> None:
        now, before = self._clock(), self._rounds.get(stage)
        self._rounds[stage] = _Round(before.number + 1 if before else 1, items, now, now)

    def advance(self, stage: str, items: int) -> None:
        now, current = self._clock(), self._rounds[stage]
        current.done += items
        if current.done >= current.total or now - current.told >= _LINE_SECONDS:
            current.told = now
            self._write(stage, current, now)

    def _write(self, stage: str, current: _Round, now: float) -> None:
        rate = current.done / max(now - current.started, 1e-3)
        left = (current.total - current.done) / rate if rate else 0.0
        money = f" paid={self._paid():.4f}USD" if self._paid else ""
        _logger.info(
            "stage=%s round=%d done=%d/%d rate=%.1f/s left=%.0fs%s",
            stage,
            current.number,
            current.done,
            current.total,
            rate,
            left,
            money,
        )
