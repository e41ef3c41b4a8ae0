"""Which pixels count as the salient region of a picture, and which of them a degradation of a given share takes. All in
whole numbers, so that the share of the region can be met to one pixel and be found again from the picture alone."""

import math

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from injectors.picture_tiles import Tiles, sum_tiles, take_tiles
from injectors.saliency import Saliency

Levels = NDArray[np.uint16]
Mask = NDArray[np.bool_]

_TOP_LEVEL = 65535
_MAX_REGION_PERCENT = 40
_MASS_PERCENT = 80
_MIN_TILE = 8
_SLACK = 100  # a sample of a smooth map is that good; a wrong bracket costs time only
_SUMS = cv2.CV_64F
_TILES_PER_SIDE = 24


def quantise(saliency: Saliency) -> Levels:
    """0..65535, where 65535 is the strongest pixel; all zero for a map without any."""
    top = float(saliency.max(initial=0))
    if top <= 0:
        return np.zeros(saliency.shape, np.uint16)
    return (saliency * np.float32(_TOP_LEVEL / top)).astype(np.uint16)


def find_region(levels: Levels) -> Mask:
    """The smallest set of pixels, strongest first and ties by position, that holds 80 % of the sum of the levels, cut
    at 40 % of the picture. Empty when all levels are zero."""
    goal = _ceil_percent(_sum(levels), _MASS_PERCENT)
    limit = levels.size * _MAX_REGION_PERCENT // 100
    if goal == 0 or limit == 0:
        return np.zeros(levels.shape, np.bool_)
    weakest = _find_weakest(levels, *_bracket(levels), goal, limit) or _find_weakest(levels, 0, _TOP_LEVEL, goal, limit)
    assert weakest is not None
    level, number = weakest
    region = levels > level
    region.ravel()[np.flatnonzero(levels == level)[:number]] = True
    return region


def count_for_share(target: float, share_range: tuple[float, float], region_size: int) -> int | None:
    """The number of pixels nearest to the target whose share of the region is in the range; None if there is none."""
    low, high = share_range
    first, last = math.ceil(low * region_size), math.floor(high * region_size)
    count = min(max(round(target * region_size), first), last)
    inside = count > 0 and low <= count / region_size <= high
    return count if inside else None


def choose_pixels(levels: Levels, region: Mask, count: int) -> Tiles:
    """`count` pixels of the region: whole tiles of 1/24 of the short side (at least 8 pixels), those with the greatest
    sum of levels first, the last one cut by level."""
    side = tile_side(levels)
    inside = region.view(np.uint8)
    mass = _sum_grid(cv2.copyTo(levels, inside), side)
    order = np.argsort(-mass.ravel(), kind="stable")[: np.count_nonzero(mass)]
    rows, columns = np.divmod(order, mass.shape[1])
    marks = take_tiles(inside, side, rows, columns)
    taken = np.cumsum(sum_tiles(marks, side)).astype(np.int64)
    last = int(np.searchsorted(taken, count))
    marks = np.ascontiguousarray(marks[:, : (last + 1) * side])
    top, left = int(rows[last]) * side, int(columns[last]) * side
    _drop_weakest(marks[:, -side:], levels[top : top + side, left : left + side], int(taken[last]) - count)
    return Tiles(side, rows[: last + 1], columns[: last + 1], marks)


def tile_side(levels: Levels) -> int:
    return max(_MIN_TILE, min(levels.shape) // _TILES_PER_SIDE)


def _bracket(levels: Levels) -> tuple[int, int]:
    """Where the weakest level of the region should lie, from one pixel in 64: counting all is slower than all the rest
    of `find_region`."""
    sample = np.sort(levels[4::8, 4::8], axis=None, kind="stable")[::-1]  # sorts 16 bits by radix
    mass = np.cumsum(sample, dtype=np.int64)
    if not mass.size or not mass[-1]:
        return 0, _TOP_LEVEL
    reached = int(np.searchsorted(mass, _ceil_percent(int(mass[-1]), _MASS_PERCENT)))
    middle = min(reached, sample.size * _MAX_REGION_PERCENT // 100)
    slack = sample.size // _SLACK
    return int(sample[min(middle + slack, sample.size - 1)]), int(sample[max(middle - slack, 0)])


def _find_weakest(levels: Levels, low: int, high: int, goal: int, limit: int) -> tuple[int, int] | None:
    """The weakest level that the region takes, and how many pixels of it; None when it is not in `low` to `high`."""
    above = np.asarray(cv2.threshold(levels, high, 0, cv2.THRESH_TOZERO)[1])
    mass, number = _sum(above), cv2.countNonZero(above)
    if mass >= goal or number >= limit:
        return None
    above_low = levels - np.uint16(low)  # what is below turns into large numbers
    counts = np.bincount(above_low[above_low <= high - low], minlength=high - low + 1)[::-1]
    taken = number + np.cumsum(counts)
    held = mass + np.cumsum(counts * np.arange(high, low - 1, -1))
    step = int(np.argmax((held >= goal) | (taken >= limit)))
    if held[step] < goal and taken[step] < limit:
        return None
    level = high - step
    wanted = int(counts[step])
    if level:
        wanted = -(-(goal - (int(held[step]) - wanted * level)) // level)
    return level, min(wanted, limit - (int(taken[step]) - int(counts[step])))


def _sum(levels: MatLike) -> int:
    """Exact: float64 holds every sum of whole numbers that occurs."""
    return int(np.array(cv2.sumElems(levels))[0])


def _drop_weakest(marks: NDArray[np.uint8], levels: Levels, surplus: int) -> None:
    rows, columns = np.nonzero(marks)
    order = np.argsort(-levels[rows, columns].astype(np.int32), kind="stable")
    dropped = order[len(order) - surplus :]
    marks[rows[dropped], columns[dropped]] = 0


def _sum_grid(values: MatLike, side: int) -> NDArray[np.int64]:
    """Of every tile. Exact, like `_sum`."""
    height, width = values.shape
    rows = [cv2.reduce(values[top : top + side], 0, cv2.REDUCE_SUM, dtype=_SUMS) for top in range(0, height, side)]
    return np.add.reduceat(np.concatenate(rows), range(0, width, side), axis=1).astype(np.int64)


def _ceil_percent(value: int, percent: int) -> int:
    return -(-value * percent // 100)
