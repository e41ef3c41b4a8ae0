"""What a degraded picture can be said to be. Everything is counted on the original and the decoded stored picture,
never taken from what was intended, so that anybody who has both pictures finds the same figures."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels
from injectors.degradations import CHANGE_THRESHOLD
from injectors.picture_tiles import Tiles, find_tiles, put_tiles, take_tiles
from injectors.salient_region import Levels, Mask, tile_side


class MeasuredChange(NamedTuple):
    """Shares in 0..1, as `core.records.DegradationMeasure` explains them; `mean_change` is the mean absolute difference
    of all channels of the changed pixels, in 0..255. `changed` is height x width."""

    changed: Mask
    share: float
    mass_share: float
    image_share: float
    region_share: float
    leak: float
    mean_change: float


def measure_change(original: Pixels, stored: Pixels, levels: Levels, region: Mask) -> MeasuredChange:
    """Compares two pictures of one size; a pixel has changed when its strongest channel differs by more than the
    threshold. `region` is the salient region of the original and not empty.

    All pixels are compared; what differs at all is then looked at in its tiles only."""
    difference = np.asarray(cv2.absdiff(original, stored), dtype=np.uint8)
    side = tile_side(levels)
    rows, columns = find_tiles(difference, side)
    differing = take_tiles(difference, side, rows, columns)
    red, green, blue = cv2.split(differing)
    changed = (np.asarray(cv2.max(cv2.max(red, green), blue)) > CHANGE_THRESHOLD).view(np.uint8)
    inside = changed & take_tiles(region.view(np.uint8), side, rows, columns)
    number, number_inside = cv2.countNonZero(changed), cv2.countNonZero(inside)
    region_size, size = int(np.count_nonzero(region)), region.size
    mass = _sum_masked(take_tiles(levels, side, rows, columns), inside)[0]
    mask = put_tiles(np.zeros(levels.shape, np.uint8), Tiles(side, rows, columns, changed), changed)
    return MeasuredChange(
        changed=mask.view(np.bool_),
        share=number_inside / region_size,
        mass_share=float(mass / _sum_masked(levels, region.view(np.uint8))[0]),
        image_share=number / size,
        region_share=region_size / size,
        leak=(number - number_inside) / (size - region_size),
        mean_change=float(_sum_masked(differing, changed).sum()) / (3 * max(number, 1)),
    )


def _sum_masked(values: NDArray[np.uint16] | Pixels, mask: NDArray[np.uint8]) -> NDArray[np.float64]:
    """By channel, four of them; exact, because all values are whole numbers."""
    return np.array(cv2.sumElems(cv2.copyTo(values, mask)))
