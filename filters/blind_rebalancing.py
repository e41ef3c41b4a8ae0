"""What to drop from a set of questions so that their labels can no longer be told from the text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.seeding import ordered
from filters.blind_baseline import Measured, measure_sorted, sort_rows
from filters.blind_reports import BlindReport, BlindRow, fails
from filters.blind_scores import SEED

_STRATA = 20
_STEPS = 12
_HALVINGS = 5
_LEAST = 0.5  # nobody aims below a guess


class Rebalancing(NamedTuple):
    """`drop`: ids. `report`: what is measured on the rest. Where no rest passes (of few rows the upper bound is above
    any limit) nothing is dropped, and the report is that of all rows."""

    drop: tuple[str, ...]
    report: BlindReport


class _Unit(NamedTuple):
    """What goes or stays as one."""

    ids: tuple[str, ...]
    score: float
    label: bool


def rebalance(rows: Iterable[BlindRow], limit: float) -> Rebalancing:
    """Which items to drop so that the rest passes; a greedy search for few.

    In each step the rows are sorted by what all classifiers together make of them and cut into strata. In each stratum
    the more frequent label loses rows until it has only the share that the limit allows: rows that look alike are then
    of both labels, so that what is learnt anew from the rest does not turn into its opposite. Then all is fitted and
    measured again. Of the last step only as much is dropped as it takes, found by halving. Deterministic.

    Matched pairs go as a whole: a question without its partner would tell its label. They are sorted by how far apart
    their questions are to the classifiers, and which of the two is taken for the sound one stands for the label.

    Raises ValueError without rows of both labels."""
    rows = sort_rows(rows)
    kept = rows
    measured = everything = measure_sorted(kept)
    for _ in range(_STEPS):
        surplus = _find_surplus(kept, measured, limit) if fails(measured.report, limit) else []
        rest = _without(kept, surplus)
        if not surplus or len({row.label for row in rest}) < 2:
            break
        after = measure_sorted(rest)
        if not fails(after.report, limit):
            rest, after = _least_dropped(kept, surplus, limit, (rest, after))
        kept, measured = rest, after
    if fails(measured.report, limit):
        return Rebalancing((), everything.report)
    left = {row.id for row in kept}
    return Rebalancing(tuple(row.id for row in rows if row.id not in left), measured.report)


def _find_surplus(rows: Sequence[BlindRow], measured: Measured, limit: float) -> list[tuple[str, ...]]:
    """Ids of what goes as one, in the order in which they go: from the strata that one label has nearly alone first,
    where one row less counts most, and of strata alike the same share of each."""
    low, high = measured.report.best.interval
    aim = max(_LEAST, limit - (high - low) / 2)
    found: list[tuple[float, float, tuple[str, ...]]] = []
    for stratum in _cut(_weigh(rows, measured)):
        of_label = {label: [unit.ids for unit in stratum if unit.label is label] for label in (True, False)}
        more, fewer = sorted(of_label.values(), key=len, reverse=True)
        surplus = len(more) - int(len(fewer) * aim / (1 - aim))
        chosen = ordered(more, SEED, "rebalance", " ".join)[: max(0, surplus)]
        mixed = round(len(fewer) / len(stratum), 1)
        found += [(mixed, rank / len(chosen), ids) for rank, ids in enumerate(chosen)]
    return [ids for *_, ids in sorted(found)]


def _weigh(rows: Sequence[BlindRow], measured: Measured) -> tuple[list[_Unit], list[_Unit]]:
    """Rows of their own, and matched pairs."""
    members: dict[tuple[str | None, str], list[int]] = {}
    for position, row in enumerate(rows):
        members.setdefault((row.pair, "" if row.pair else row.id), []).append(position)
    single: list[_Unit] = []
    paired: list[_Unit] = []
    for positions in members.values():
        ids = tuple(rows[at].id for at in positions)
        sound, flawed = (
            [measured.scores[at] for at in positions if rows[at].label is label] for label in (True, False)
        )
        if sound and flawed:
            apart = float(np.mean(sound) - np.mean(flawed))
            paired.append(_Unit(ids, abs(apart), apart > 0))
        else:
            single.append(_Unit(ids, float(np.mean(sound or flawed)), bool(sound)))
    return single, paired


def _cut(kinds: Iterable[list[_Unit]]) -> Iterator[list[_Unit]]:
    for units in kinds:
        in_order = sorted(units, key=lambda unit: (unit.score, unit.ids))
        strata = min(_STRATA, len(units))
        yield from (in_order[len(units) * at // strata : len(units) * (at + 1) // strata] for at in range(strata))


def _least_dropped(
    rows: Sequence[BlindRow],
    surplus: Sequence[tuple[str, ...]],
    limit: float,
    passing: tuple[list[BlindRow], Measured],
) -> tuple[list[BlindRow], Measured]:
    """Halves the part that must go; `passing` is what is left, and measured, when all goes."""
    too_few, enough = 0, len(surplus)
    for _ in range(_HALVINGS):
        middle = (too_few + enough) // 2
        if middle == too_few:
            break
        rest = _without(rows, surplus[:middle])
        measured = measure_sorted(rest)
        if fails(measured.report, limit):
            too_few = middle
        else:
            enough, passing = middle, (rest, measured)
    return passing


def _without(rows: Sequence[BlindRow], units: Iterable[tuple[str, ...]]) -> list[BlindRow]:
    gone = {name for unit in units for name in unit}
    return [row for row in rows if row.id not in gone]
