"""Intervals of agreement by bootstrap: items are drawn with replacement, which is drawing the patterns of their
verdicts from a multinomial distribution, so thousands of items cost no more than their few patterns."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.review import Judged

CATEGORIES = tuple(Judged)
RESAMPLES = 2_000
_INTERVAL = (0.025, 0.975)
_MISSING = -1

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
Interval = tuple[float, float]
Verdicts = Mapping[str, Mapping[str, Judged]]
"""By item and annotator."""


class Intervals(NamedTuple):
    """Of the mean of the pairs' kappas weighted by their items, and of Krippendorff's alpha."""

    kappa: Interval | None = None
    alpha: Interval | None = None


def resample_table(table: Counts, seed: int) -> Interval | None:
    """Of the kappa of one pair; over the draws in which it is defined."""
    items = int(table.sum())
    drawn = np.random.default_rng(seed).multinomial(items, table.ravel() / items, size=RESAMPLES)
    return _find_interval(compute_kappas(drawn.reshape(RESAMPLES, *table.shape)))


def resample_items(verdicts: Verdicts, annotators: Sequence[str], seed: int) -> Intervals:
    """Of the items with two or more verdicts."""
    coded = Counter(
        tuple(CATEGORIES.index(given[name]) if name in given else _MISSING for name in annotators)
        for given in verdicts.values()
        if len(given) > 1
    )
    if not coded:
        return Intervals()
    patterns = sorted(coded)
    counts = np.array([coded[pattern] for pattern in patterns])
    drawn = np.random.default_rng(seed).multinomial(counts.sum(), counts / counts.sum(), size=RESAMPLES)
    said = np.array(patterns)
    return Intervals(_find_interval(_mean_kappas(drawn, said)), _find_interval(_alphas(drawn, said)))


def compute_kappas(tables: Counts) -> Floats:
    """Of tables of counts of shape (n, k, k): shape (n,), NaN where chance agreement is 1."""
    items = tables.sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(tables, axis1=1, axis2=2) / items
        expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / items**2
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)


def _mean_kappas(drawn: Counts, said: Counts) -> Floats:
    size = len(CATEGORIES)
    total, weight = np.zeros(len(drawn)), np.zeros(len(drawn))
    for one, other in combinations(said.T, 2):
        both = np.flatnonzero((one != _MISSING) & (other != _MISSING))
        cells = np.zeros((len(said), size * size), dtype=np.int64)
        cells[both, one[both] * size + other[both]] = 1
        tables = (drawn @ cells).reshape(-1, size, size)
        kappas = compute_kappas(tables)
        items = np.where(np.isnan(kappas), 0, tables.sum(axis=(1, 2)))
        total += np.nan_to_num(kappas) * items
        weight += items
    with np.errstate(invalid="ignore"):
        return total / weight


def _alphas(drawn: Counts, said: Counts) -> Floats:
    """Krippendorff's for nominal data, by the coincidences of values within items."""
    size = len(CATEGORIES)
    values = np.stack([(said == category).sum(axis=1) for category in range(size)], axis=1)
    pairs = values[:, :, None] * values[:, None, :] - values[:, :, None] * np.eye(size, dtype=np.int64)
    within = pairs / (values.sum(axis=1) - 1)[:, None, None]
    found = (drawn @ within.reshape(len(said), -1)).reshape(-1, size, size)
    each = found.sum(axis=2)
    whole = each.sum(axis=1)
    observed = whole - np.trace(found, axis1=1, axis2=2)
    expected = (whole**2 - (each**2).sum(axis=1)) / (whole - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _find_interval(values: Floats) -> Interval | None:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, _INTERVAL)
    return float(low), float(high)
