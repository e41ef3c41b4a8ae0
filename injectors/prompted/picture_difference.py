"""Whether an edited picture is the original with one thing changed, at the place that was named. Image models draw the
whole picture anew: it moves by some pixels and flat areas get noise, which is no change."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import PictureError, Pixels, decode_rgb
from core.records import Picture
from injectors.base import Rejection, RejectionReason
from injectors.prompted.replies import Box

MIN_CHANGED_PIXELS = 80
MIN_CHANGED_SHARE = 0.0001
"""Of all pixels: another digit of 20 pixels on a label passes, what a decoder of JPEG leaves does not."""
MAX_CHANGED_SHARE = 0.35
"""Of all pixels: above it the picture counts as another one."""
MIN_INSIDE_SHARE = 0.7
"""Of the changed pixels: so many must lie in the box that was named, with its margin."""
BOX_MARGIN = 0.06
"""Of the width and the height, on each side."""
MAX_ASPECT_SHIFT = 0.02
_MAX_SHIFT = 8.0
_TOLERANCE = 1
_COUNTED_DIFFERENCE = 64


class FittedPicture(NamedTuple):
    """The edited pixels in the size of the original; the size that the editor gave, None if that was the same."""

    pixels: Pixels
    scaled_from: tuple[int, int] | None


def fit(original: Picture, data: bytes) -> FittedPicture | Rejection:
    """Scaled to the size of the original where the shape is the same within 2 %.

    UNDECODABLE_PICTURE, PICTURE_SIZE_CHANGED."""
    try:
        pixels = decode_rgb(data)
    except PictureError as error:
        return Rejection(RejectionReason.UNDECODABLE_PICTURE, f"the edited picture: {error}")
    height, width = pixels.shape[:2]
    if (width, height) == (original.width, original.height):
        return FittedPicture(pixels, None)
    if abs(width * original.height / (height * original.width) - 1) > MAX_ASPECT_SHIFT:
        detail = f"the picture is {width}x{height}, and has to stay {original.width}x{original.height}"
        return Rejection(RejectionReason.PICTURE_SIZE_CHANGED, detail)
    shrinks = width > original.width
    scaled = cv2.resize(
        pixels, (original.width, original.height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    )
    return FittedPicture(np.asarray(scaled, np.uint8), (width, height))


def check_change(before: Pixels, after: Pixels, box: Box) -> Rejection | None:
    """PICTURE_UNCHANGED, PICTURE_REPLACED, or OTHER_PART_CHANGED when most of the change lies outside the box."""
    changed = find_changed(before, after)
    count = int(np.count_nonzero(changed))
    share = count / changed.size
    if count < MIN_CHANGED_PIXELS or share < MIN_CHANGED_SHARE:
        detail = f"only {count} pixels ({share:.3%}) changed visibly: make the change that is asked for, and no smaller"
        return Rejection(RejectionReason.PICTURE_UNCHANGED, detail)
    if share > MAX_CHANGED_SHARE:
        detail = f"{share:.0%} of the picture changed: keep everything but the one thing as it is, in place and colour"
        return Rejection(RejectionReason.PICTURE_REPLACED, detail)
    inside = int(np.count_nonzero(changed[_window(box, changed.shape)])) / count
    if inside < MIN_INSIDE_SHARE:
        detail = f"only {inside:.0%} of the change lies at the place that was named: change nothing elsewhere"
        return Rejection(RejectionReason.OTHER_PART_CHANGED, detail)
    return None


def find_changed(before: Pixels, after: Pixels) -> NDArray[np.bool_]:
    """Height x width: pixels of either picture whose colour the other, moved back to where it was, has nowhere within
    one pixel (a difference of 64 of 255 in a channel)."""
    aligned = _align(before, after)
    return _leaves_range(before, aligned) | _leaves_range(aligned, before)


def _align(before: Pixels, after: Pixels) -> Pixels:
    """`after` without the shift of the whole picture, in whole pixels; a larger shift is none but another picture."""
    grey = [cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32) for pixels in (before, after)]
    height, width = before.shape[:2]
    (right, down), _ = cv2.phaseCorrelate(grey[0], grey[1], cv2.createHanningWindow((width, height), cv2.CV_32F))
    if not max(abs(right), abs(down)) <= _MAX_SHIFT:  # flat pictures have no shift: not a number
        return after
    move = np.array([[1, 0, -round(right)], [0, 1, -round(down)]], np.float32)
    return np.asarray(cv2.warpAffine(after, move, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _leaves_range(pixels: Pixels, other: Pixels) -> NDArray[np.bool_]:
    kernel = np.ones((2 * _TOLERANCE + 1, 2 * _TOLERANCE + 1), np.uint8)
    above = cv2.subtract(pixels, cv2.dilate(other, kernel))
    below = cv2.subtract(cv2.erode(other, kernel), pixels)
    return np.asarray(cv2.max(above, below).max(axis=2) > _COUNTED_DIFFERENCE, np.bool_)


def _window(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    height, width = shape[0], shape[1]
    rows = slice(round(max(0.0, box.top - BOX_MARGIN) * height), round(min(1.0, box.bottom + BOX_MARGIN) * height))
    columns = slice(round(max(0.0, box.left - BOX_MARGIN) * width), round(min(1.0, box.right + BOX_MARGIN) * width))
    return rows, columns
