"""Fleiss' kappa: how far several people agree who are not always the same ones (M-40). Fleiss 1971, Psychological
Bulletin 76, 378-382."""

from typing import NamedTuple

import numpy as np

from annotation.resampling import CATEGORIES, Counts, Verdicts

_NO_ITEMS = "no item was judged by two"
_ONE_VALUE = "all verdicts are equal, so chance agreement is 1"


class Fleiss(NamedTuple):
    """`kappa` in -1..1, None with the reason in `undefined`. It takes the same number of verdicts on each item: `items`
    are those with as many as any has, which is `raters`."""

    kappa: float | None
    items: int
    raters: int
    undefined: str | None


def measure_fleiss(verdicts: Verdicts) -> Fleiss:
    raters = max((len(given) for given in verdicts.values()), default=0)
    if raters < 2:
        return Fleiss(None, 0, raters, _NO_ITEMS)
    whole = [list(given.values()) for given in verdicts.values() if len(given) == raters]
    kappa = compute_fleiss(np.array([[said.count(category) for category in CATEGORIES] for said in whole]))
    return Fleiss(kappa, len(whole), raters, _ONE_VALUE if kappa is None else None)


def compute_fleiss(counts: Counts) -> float | None:
    """Of verdicts by item and category, with the same sum, 2 or more, for each item. None where all are equal."""
    raters = int(counts[0].sum())
    shares = counts.sum(axis=0) / counts.sum()
    if shares.max() == 1:
        return None
    observed = ((counts**2).sum(axis=1) - raters).mean() / (raters * (raters - 1))
    expected = (shares**2).sum()
    return float((observed - expected) / (1 - expected))
