"""Processor time of groups of processes over time: on a machine that others use too, the clock on the wall says little
about what a program costs."""

import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np

from benchmarks.memory import find_family
from benchmarks.watching import looked_at

_LOOK_SECONDS = 1.0
_TICKS = os.sysconf("SC_CLK_TCK")


class ProcessorTimes:
    """`seconds` of each group at each moment of `clock`, as far as its processes still ran."""

    def __init__(self, groups: Mapping[str, int]) -> None:
        self._groups = groups
        self._clock: list[float] = []
        self._seconds: dict[str, list[float]] = {
            name: [] for name in [*groups, *(f"{name} children" for name in groups)]
        }

    def look(self) -> None:
        self._clock.append(time.time())
        for name, process in self._groups.items():
            first, *others = (_read_seconds(one) for one in find_family(process))
            self._seconds[name].append(first)
            self._seconds[f"{name} children"].append(sum(others))

    def between(self, start: datetime, end: datetime) -> dict[str, float]:
        moments = [start.timestamp(), end.timestamp()]
        return {name: float(np.diff(np.interp(moments, self._clock, own))[0]) for name, own in self._seconds.items()}


@contextmanager
def processor_watched(groups: Mapping[str, int]) -> Generator[ProcessorTimes, None, None]:
    """`groups` are processes by name; each counts by itself and with all that it starts, while the block runs."""
    times = ProcessorTimes(groups)
    with looked_at(times.look, _LOOK_SECONDS):
        yield times


def _read_seconds(process: int) -> float:
    """Of the process and of its children that have ended; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(field) for field in fields[11:15]) / _TICKS
