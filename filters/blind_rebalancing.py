"""What to drop from a set of questions so that their labels can no longer be told from the text."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from core.seeding import ordered
from filters.blind_baseline import BlindReport, BlindRow, Measured, fails, measure_sorted, sort_rows

_STRATA = 20
_STEPS = 12
_HALVINGS = 5
_LEAST = 0.5  # nobody aims below a guess


class Rebalancing(NamedTuple):
    """`drop`: ids. `report`: what is measured on the rest. Where no rest passes (of few rows the upper bound is above
    any limit) nothing is dropped, and the report is that of all rows."""

    drop: tuple[str, ...]
    report: BlindReport


def rebalance(rows: Iterable[BlindRow], limit: float, seed: int) -> Rebalancing:
    """Which items to drop so that the rest passes; a greedy search for few.

    In each step the rows are sorted by what all classifiers together make of them and cut into strata. In each stratum
    the more frequent label loses rows until it has only the share that the limit allows: rows that look alike are then
    of both labels, so that what is learnt anew from the rest does not turn into its opposite. Then all is fitted and
    measured again. Of the last step only as much is dropped as it takes, found by halving. Deterministic.

    Raises ValueError without rows of both labels."""
    rows = sort_rows(rows)
    kept = rows
    measured = everything = measure_sorted(kept, seed)
    for _ in range(_STEPS):
        surplus = _find_surplus(kept, measured, limit, seed) if fails(measured.report, limit) else []
        rest = _without(kept, surplus)
        if not surplus or len({row.label for row in rest}) < 2:
            break
        after = measure_sorted(rest, seed)
        if not fails(after.report, limit):
            rest, after = _least_dropped(kept, surplus, limit, seed, (rest, after))
        kept, measured = rest, after
    if fails(measured.report, limit):
        return Rebalancing((), everything.report)
    left = {row.id for row in kept}
    return Rebalancing(tuple(row.id for row in rows if row.id not in left), measured.report)


def _find_surplus(rows: Sequence[BlindRow], measured: Measured, limit: float, seed: int) -> list[str]:
    """Ids, in the order in which they go: from the strata that one label has nearly alone first, where one row less
    counts most, and of strata alike the same share of each."""
    low, high = measured.report.best.interval
    aim = max(_LEAST, limit - (high - low) / 2)
    order = np.argsort(measured.scores, kind="stable")
    found: list[tuple[float, float, str]] = []
    for stratum in np.array_split(order, min(_STRATA, len(rows))):
        of_label = {label: [rows[at].id for at in stratum if rows[at].label is label] for label in (True, False)}
        more, fewer = sorted(of_label.values(), key=len, reverse=True)
        surplus = len(more) - int(len(fewer) * aim / (1 - aim))
        chosen = ordered(more, seed, "rebalance", str)[: max(0, surplus)]
        mixed = round(len(fewer) / len(stratum), 1)
        found += [(mixed, rank / len(chosen), name) for rank, name in enumerate(chosen)]
    return [name for *_, name in sorted(found)]


def _least_dropped(
    rows: Sequence[BlindRow], surplus: Sequence[str], limit: float, seed: int, passing: tuple[list[BlindRow], Measured]
) -> tuple[list[BlindRow], Measured]:
    """Halves the part that must go; `passing` is what is left, and measured, when all goes."""
    too_few, enough = 0, len(surplus)
    for _ in range(_HALVINGS):
        middle = (too_few + enough) // 2
        if middle == too_few:
            break
        rest = _without(rows, surplus[:middle])
        measured = measure_sorted(rest, seed)
        if fails(measured.report, limit):
            too_few = middle
        else:
            enough, passing = middle, (rest, measured)
    return passing


def _without(rows: Sequence[BlindRow], names: Sequence[str]) -> list[BlindRow]:
    gone = set(names)
    return [row for row in rows if row.id not in gone]
