"""Which pixels count as the salient region of a picture, and which of them a degradation of a given share takes. All in
whole numbers, so that the share of the region can be met to one pixel and be found again from the picture alone."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from injectors.saliency import Saliency

Levels = NDArray[np.uint16]
Mask = NDArray[np.bool_]

_TOP_LEVEL = 65535
_MAX_REGION_PERCENT = 40
_MASS_PERCENT = 80
_MIN_TILE = 8
_MAX_COUNTED = 1 << 23
_TILES_PER_SIDE = 24


def quantise(saliency: Saliency) -> Levels:
    """0..65535, where 65535 is the strongest pixel; all zero for a map without any."""
    top = float(saliency.max(initial=0))
    if top <= 0:
        return np.zeros(saliency.shape, np.uint16)
    scaled = saliency * np.float32(_TOP_LEVEL / top)
    return np.clip(scaled, 0, _TOP_LEVEL, out=scaled).astype(np.uint16)


def find_region(levels: Levels) -> Mask:
    """The smallest set of pixels, strongest first and ties by position, that holds 80 % of the sum of the levels, cut
    at 40 % of the picture. Empty when all levels are zero."""
    counts = _count_levels(levels)[::-1]
    taken = np.cumsum(counts)
    mass = np.cumsum(counts * np.arange(_TOP_LEVEL, -1, -1))
    goal = _ceil_percent(int(mass[-1]), _MASS_PERCENT)
    if goal == 0:
        return np.zeros(levels.shape, np.bool_)
    step = int(np.searchsorted(mass, goal))
    missing = goal - (int(mass[step - 1]) if step else 0)
    size = (int(taken[step - 1]) if step else 0) + -(-missing // (_TOP_LEVEL - step))
    size = min(size, levels.size * _MAX_REGION_PERCENT // 100)
    step = int(np.searchsorted(taken, size))
    level = _TOP_LEVEL - step
    region = levels > level
    ties = np.flatnonzero(levels == level)[: size - (int(taken[step - 1]) if step else 0)]
    region.ravel()[ties] = True
    return region


def count_for_share(target: float, share_range: tuple[float, float], region_size: int) -> int | None:
    """The number of pixels nearest to the target whose share of the region is in the range; None if there is none."""
    low, high = share_range
    first, last = math.ceil(low * region_size), math.floor(high * region_size)
    count = min(max(round(target * region_size), first), last)
    inside = count > 0 and low <= count / region_size <= high
    return count if inside else None


def choose_pixels(levels: Levels, region: Mask, count: int) -> Mask:
    """`count` pixels of the region: whole tiles of 1/24 of the short side (at least 8 pixels), those with the greatest
    sum of levels first, the last one cut by level."""
    tile = max(_MIN_TILE, min(levels.shape) // _TILES_PER_SIDE)
    mass = _sum_tiles(levels * region, tile)
    order = np.argsort(-mass.ravel(), kind="stable")
    taken = np.cumsum(_sum_tiles(region.view(np.uint8), tile).ravel()[order])
    last = int(np.searchsorted(taken, count))
    picked = np.zeros(mass.size, np.bool_)
    picked[order[: last + 1]] = True
    grid = picked.reshape(mass.shape)
    height, width = levels.shape
    chosen = region & grid.repeat(tile, axis=1)[:, :width].repeat(tile, axis=0)[:height]
    row, column = divmod(int(order[last]), mass.shape[1])
    corner = np.s_[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile]
    _drop_weakest(chosen[corner], levels[corner], int(taken[last]) - count)
    return chosen


def _count_levels(levels: Levels) -> NDArray[np.int64]:
    """In pieces, because OpenCV counts in float32, which is exact up to 2**24 only."""
    pieces = np.array_split(levels, -(-levels.size // _MAX_COUNTED))
    counts = [cv2.calcHist([piece], [0], None, [_TOP_LEVEL + 1], [0, _TOP_LEVEL + 1]) for piece in pieces]
    return np.sum(counts, axis=0, dtype=np.int64).ravel()


def _drop_weakest(chosen: Mask, levels: Levels, surplus: int) -> None:
    rows, columns = np.nonzero(chosen)
    order = np.argsort(-levels[rows, columns].astype(np.int32), kind="stable")
    dropped = order[len(order) - surplus :]
    chosen[rows[dropped], columns[dropped]] = False


def _sum_tiles(values: NDArray[np.integer], tile: int) -> NDArray[np.int64]:
    return _sum_rows(_sum_rows(values, tile).T, tile).T.astype(np.int64)


def _sum_rows(values: NDArray[np.integer], tile: int) -> NDArray[np.integer]:
    height, width = values.shape
    whole = height - height % tile
    sums = (
        values[:whole].reshape(-1, tile, width).sum(axis=1, dtype=np.uint32 if values.dtype.itemsize < 4 else np.int64)
    )
    if whole == height:
        return sums
    return np.vstack([sums, values[whole:].sum(axis=0, dtype=sums.dtype)])


def _ceil_percent(value: int, percent: int) -> int:
    return -(-value * percent // 100)
