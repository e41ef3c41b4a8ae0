"""Intervals for shares and for the AUC where rows come in groups (both questions on one picture, all flaws made from
one question): rows of a group are right or wrong together, or in turn, so rows counted one by one would promise a wrong
precision."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, t

LEVEL = 0.95

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Estimate(NamedTuple):
    """`interval`: 95 %, within 0..1."""

    value: float
    interval: tuple[float, float]


def balanced_share(right: Bools, labels: Bools, groups: Sequence[str]) -> Estimate:
    """The mean of the shares of right rows of both labels: accuracy if both labels were equally frequent. With one
    label only it is the share of that label.

    Linearised over the groups (each contributes the sum of what its rows deviate, as in survey statistics), Student's t
    with one degree of freedom less than there are groups. Before that each label gets one group that is all right and
    one that is all wrong (after Agresti and Coull), so that few groups, or groups that are all alike, never give an
    interval without width."""
    present = [label for label in (True, False) if np.any(labels == label)]
    influence = np.zeros(len(labels))
    value = centre = added = 0.0
    for label in present:
        mask = labels == label
        count = int(mask.sum()) + 2
        smooth = (float(right[mask].sum()) + 1) / count
        influence[mask] = (right[mask] - smooth) / count / len(present)
        added += ((1 - smooth) ** 2 + smooth**2) / (count * len(present)) ** 2
        value += float(right[mask].mean()) / len(present)
        centre += smooth / len(present)
    return _estimate(value, centre, influence, groups, added)


def grouped_auc(scores: Floats, labels: Bools, groups: Sequence[str]) -> Estimate | None:
    """The chance that a row of label True has the higher score (ties count half), with DeLong's placements summed over
    groups (Obuchowski 1997). None where one label is missing."""
    true, false = scores[labels], scores[~labels]
    if not len(true) or not len(false):
        return None
    together = rankdata(np.concatenate([true, false]))
    above = (together[: len(true)] - rankdata(true)) / len(false)
    below = 1 - (together[len(true) :] - rankdata(false)) / len(true)
    value = float(above.mean())
    influence = np.empty(len(labels))
    influence[labels] = (above - value) / len(true)
    influence[~labels] = (below - value) / len(false)
    least = 0.25 / min(len(true), len(false)) ** 2  # one row whose place is not known: perfect order has a width too
    return _estimate(value, value, influence, groups, least)


def _estimate(value: float, centre: float, influence: Floats, groups: Sequence[str], added: float) -> Estimate:
    _, place = np.unique(np.asarray(groups, dtype=np.str_), return_inverse=True)
    sums = np.bincount(place, weights=influence)
    freedom = max(1, len(sums) - 1)
    variance = (float(np.sum(sums**2)) + added) * (freedom + 1) / freedom
    reach = float(t.ppf((1 + LEVEL) / 2, freedom)) * variance**0.5
    low, high = min(value, max(0.0, centre - reach)), max(value, min(1.0, centre + reach))
    return Estimate(round(value, 4), (round(low, 4), round(high, 4)))
