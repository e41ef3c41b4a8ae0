"""How many questions each stratum gives, when shares are asked of three axes at once and each stratum has its limit:
each step takes from the stratum that the axes miss most, then single questions move while that brings the axes
nearer."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

AXES = ("subjects", "sources", "pictures")
_OVER_ZERO = 10.0


class Cell(NamedTuple):
    subject: str
    source: str
    pictures: str


class Targets(NamedTuple):
    """Wanted questions by the values of each axis, in the order of AXES."""

    subjects: Mapping[str, int]
    sources: Mapping[str, int]
    pictures: Mapping[str, int]


def largest_remainder(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Whole parts of the total in proportion to the weights; equal remainders go by name."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    exact = {name: total * weight / whole for name, weight in weights.items()}
    parts = {name: int(value + 1e-9) for name, value in exact.items()}
    by_remainder = sorted(weights, key=lambda name: (round(parts[name] - exact[name], 9), name))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def fill_cells(available: Mapping[Cell, int], targets: Targets, total: int) -> dict[Cell, int]:
    """Questions to take from each cell: `total` in all, never more than a cell has."""
    filling = _Filling(available, targets)
    for _ in range(total):
        filling.take_best()
    while filling.move_one():
        pass
    return dict(filling.taken)


class _Filling:
    """`missing`: what each axis value still lacks, negative where it has too much."""

    def __init__(self, available: Mapping[Cell, int], targets: Targets) -> None:
        self._available = available
        self._cells = sorted(available)
        self._targets = targets
        self._missing = [Counter(dict(axis)) for axis in targets]
        self.taken: Counter[Cell] = Counter()

    def take_best(self) -> None:
        self._change(max(self._free(), key=self._need), 1)

    def move_one(self) -> bool:
        """Moves one question to the cell where that helps most; False when nothing helps."""
        best, move = 0, None
        free = list(self._free())
        for giver in [cell for cell in self._cells if self.taken[cell]]:
            for receiver in free:
                gain = self._gain(giver, receiver)
                if gain > best:
                    best, move = gain, (giver, receiver)
        if move is None:
            return False
        self._change(move[0], -1)
        self._change(move[1], 1)
        return True

    def _free(self) -> Iterable[Cell]:
        return (cell for cell in self._cells if self.taken[cell] < self._available[cell])

    def _change(self, cell: Cell, step: int) -> None:
        self.taken[cell] += step
        for missing, value in zip(self._missing, cell, strict=True):
            missing[value] -= step

    def _need(self, cell: Cell) -> float:
        """The sum over the axes of the share of its target that the value lacks."""
        needs = zip(self._missing, self._targets, cell, strict=True)
        return sum(
            missing[value] / targets[value] if targets[value] else missing[value] - _OVER_ZERO
            for missing, targets, value in needs
        )

    def _gain(self, giver: Cell, receiver: Cell) -> int:
        """By how much the distance from the targets shrinks, summed over the axes."""
        gain = 0
        for missing, old, new in zip(self._missing, giver, receiver, strict=True):
            if old != new:
                gain += (1 if missing[old] < 0 else -1) + (1 if missing[new] > 0 else -1)
        return gain
