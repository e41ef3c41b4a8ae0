"""The choice of questions from the pool: stratified by subject, source and number of pictures, by content alone, so
that the order of rows or the names of folders never matter. What cannot be had is said, and made up for from other
strata."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.errors import ConfigurationError
from core.recipe import PictureCount, SamplingRecipe
from core.records import Sample
from core.seeding import ordered
from sources.strata import AXES, Cell, Targets, fill_cells, largest_remainder

_PURPOSE = "sampling"


class Shortfall(NamedTuple):
    """A value of an axis (`subjects`, `sources`, `pictures`; or `total`) that got fewer questions than it should."""

    axis: str
    value: str
    wanted: int
    got: int
    reason: str


class SamplingOutcome(NamedTuple):
    """`chosen`: ids in an order drawn from the seed and the ids."""

    chosen: tuple[str, ...]
    shortfalls: tuple[Shortfall, ...]


def choose(samples: Iterable[Sample], recipe: SamplingRecipe, seed: int) -> SamplingOutcome:
    """As many as the recipe's total, or all that there are. Only what is in the pool or named in the recipe counts as a
    stratum: an unnamed subject that no source has is not missed.

    Raises ConfigurationError for shares that add up to more than 1."""
    pool = {sample.id: sample for sample in samples}
    order = ordered(pool, seed, _PURPOSE, str)
    cells: dict[Cell, list[str]] = {}
    for sample_id in order:
        cells.setdefault(_cell(pool[sample_id]), []).append(sample_id)
    if recipe.total is None:
        return SamplingOutcome(tuple(order), ())
    targets = _targets(recipe, cells)
    counts = fill_cells({cell: len(ids) for cell, ids in cells.items()}, targets, min(recipe.total, len(pool)))
    taken = {sample_id for cell, count in counts.items() for sample_id in cells[cell][:count]}
    chosen = tuple(sample_id for sample_id in order if sample_id in taken)
    return SamplingOutcome(chosen, (*_total_shortfall(recipe.total, len(pool)), *_shortfalls(targets, counts, cells)))


def _cell(sample: Sample) -> Cell:
    return Cell(sample.subject.value, sample.source, _picture_count(sample))


def _picture_count(sample: Sample) -> PictureCount:
    match len(sample.pictures):
        case 0:
            return "0"
        case 1:
            return "1"
        case _:
            return "2+"


def _targets(recipe: SamplingRecipe, cells: Iterable[Cell]) -> Targets:
    total = recipe.total or 0
    shares: tuple[Mapping[str, float], ...] = (
        {subject.value: share for subject, share in recipe.subjects.items()},
        recipe.sources,
        {str(count): share for count, share in recipe.pictures.items()},
    )
    present = [{cell[axis] for cell in cells} for axis in range(len(AXES))]
    return Targets(*(_axis_targets(AXES[axis], shares[axis], present[axis], total) for axis in range(len(AXES))))


def _axis_targets(axis: str, named: Mapping[str, float], present: set[str], total: int) -> dict[str, int]:
    """Named shares, and equal parts of the rest for the others; where all are named they are scaled to the total."""
    rest = 1 - sum(named.values())
    if rest < -1e-9:
        raise ConfigurationError(
            f"The shares of `sampling.{axis}` add up to {1 - rest:g}, which is above 1.", "Lower one of them."
        )
    others = present - named.keys()
    weights = {**named, **{value: max(rest, 0.0) / len(others) for value in others}}
    return largest_remainder(weights, total)


def _total_shortfall(wanted: int, available: int) -> tuple[Shortfall, ...]:
    if wanted <= available:
        return ()
    return (Shortfall("total", "all", wanted, available, f"the sources give {available} usable questions in all"),)


def _shortfalls(targets: Targets, counts: Mapping[Cell, int], cells: Mapping[Cell, list[str]]) -> list[Shortfall]:
    found: list[Shortfall] = []
    for axis, name in enumerate(AXES):
        for value, wanted in sorted(targets[axis].items()):
            got = sum(count for cell, count in counts.items() if cell[axis] == value)
            if got < wanted:
                available = sum(len(ids) for cell, ids in cells.items() if cell[axis] == value)
                found.append(Shortfall(name, value, wanted, got, _reason(wanted, available)))
    return found


def _reason(wanted: int, available: int) -> str:
    if available < wanted:
        return f"the sources give {available} such questions"
    return f"there are {available} such questions, but more of them would move the other axes away from their shares"
