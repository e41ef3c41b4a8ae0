"""What a degraded picture can be said to be. Everything is counted on the original and the decoded stored picture,
never taken from what was intended, so that anybody who has both pictures finds the same figures."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels
from injectors.degradations import CHANGE_THRESHOLD
from injectors.salient_region import Levels, Mask


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
    threshold. `region` is the salient region of the original and not empty."""
    difference = np.asarray(cv2.absdiff(original, stored), dtype=np.uint8)
    red, green, blue = cv2.split(difference)
    strongest = cv2.max(cv2.max(red, green, red), blue, red)
    changed = np.asarray(strongest) > CHANGE_THRESHOLD
    inside = changed & region
    number, number_inside = int(np.count_nonzero(changed)), int(np.count_nonzero(inside))
    region_size, size = int(np.count_nonzero(region)), region.size
    slight = cv2.countNonZero(strongest) > number
    changes = _sum_masked(difference, changed) if slight else np.array(cv2.sumElems(difference))
    return MeasuredChange(
        changed=changed,
        share=number_inside / region_size,
        mass_share=_sum_levels(levels, inside) / _sum_levels(levels, region),
        image_share=number / size,
        region_share=region_size / size,
        leak=(number - number_inside) / (size - region_size),
        mean_change=float(changes.sum()) / (3 * max(number, 1)),
    )


def _sum_levels(levels: Levels, mask: Mask) -> int:
    return int(_sum_masked(levels, mask)[0])


def _sum_masked(values: NDArray[np.uint16] | Pixels, mask: Mask) -> NDArray[np.float64]:
    """By channel, four of them; exact, because all values are whole numbers."""
    return np.array(cv2.sumElems(cv2.copyTo(values, mask.view(np.uint8))))
