"""What every rule edit of a picture gives back, and the floors that a visible contradiction has to pass: an edit
that one must search for with a magnifier contradicts nothing."""

from typing import NamedTuple

import cv2
import numpy as np

from core.pictures import Pixels
from injectors.drawing import Box, Mask

MIN_CHANGED_SHARE = 0.0004
"""Of all pixels: two letters of 16 pixels in a picture of 640 x 480 pass, a speck does not."""
MIN_CHANGED_PIXELS = 80
MIN_MEAN_CHANGE = 40.0
"""Mean absolute difference of the changed pixels in 0..255, by the channel that differs most."""
_COUNTED_DIFFERENCE = 24


class Edited(NamedTuple):
    """The edited pixels (height x width x 3) and what now differs, as the end of "a copy in which ..."."""

    pixels: Pixels
    change: str


class Visibility(NamedTuple):
    """Pixels that differ by more than 24 of 255; their share of all; their mean difference."""

    pixels: int
    share: float
    mean_change: float

    @property
    def enough(self) -> bool:
        return (
            self.pixels >= MIN_CHANGED_PIXELS
            and self.share >= MIN_CHANGED_SHARE
            and self.mean_change >= MIN_MEAN_CHANGE
        )


def difference(before: Pixels, after: Pixels) -> Pixels:
    """Height x width: the largest absolute difference of a channel, 0..255."""
    red, green, blue = cv2.split(cv2.absdiff(before, after))
    return np.asarray(cv2.max(cv2.max(red, green), blue), np.uint8)


def measure_visibility(before: Pixels, after: Pixels) -> Visibility:
    spread = difference(before, after)
    changed: Mask = spread > _COUNTED_DIFFERENCE
    count = int(np.count_nonzero(changed))
    mean = float(spread[changed].mean()) if count else 0.0
    return Visibility(count, count / spread.size, mean)


def name_place(box: Box, pixels: Pixels) -> str:
    """Where a box lies, in words: "upper left", "centre", "lower right"."""
    height, width = pixels.shape[:2]
    row = ("upper", "", "lower")[min(2, 3 * (box.top + box.bottom) // (2 * height))]
    column = ("left", "", "right")[min(2, 3 * (box.left + box.right) // (2 * width))]
    return " ".join(word for word in (row, column) if word) or "centre"
