"""What a drawing is made of, found by rules: its background, its ink, its connected parts. Photographs have no such
background, and the rules say so, because edits that leave no trace on paper leave smears on a photograph."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels

Mask = NDArray[np.bool_]

_INK_DIFFERENCE = 48
_PAPER_DIFFERENCE = 14
_PAPER_SHARE = 0.45
_PAPER_SIDE = 600


class Box(NamedTuple):
    """Pixels left <= x < right, top <= y < bottom."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def window(self) -> tuple[slice, slice]:
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int, pixels: Pixels) -> "Box":
        """Larger on all sides, cut at the picture's border."""
        height, width = pixels.shape[:2]
        return Box(
            max(0, self.left - by),
            max(0, self.top - by),
            min(width, self.right + by),
            min(height, self.bottom + by),
        )

    def joined(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Part(NamedTuple):
    """A connected part of the ink: its number in `Drawing.labels`, its box and its pixels."""

    number: int
    box: Box
    area: int


class Drawing(NamedTuple):
    """`paper`: the colour of the background. `ink`: what differs from it. `labels`: 0 for paper, else a part's
    number."""

    pixels: Pixels
    paper: NDArray[np.int16]
    ink: Mask
    labels: NDArray[np.int32]
    parts: tuple[Part, ...]


def read_drawing(pixels: Pixels) -> Drawing | None:
    """The parts of a drawing on plain paper, None for a photograph. Height x width x 3, 0..255."""
    paper = _paper_colour(pixels)
    difference = distance(pixels, paper)
    if float((difference <= _PAPER_DIFFERENCE).mean()) < _PAPER_SHARE:
        return None
    ink = difference > _INK_DIFFERENCE
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    parts = tuple(_part(number, stats[number]) for number in range(1, count))
    return Drawing(pixels, paper, ink, np.asarray(labels, np.int32), parts)


def distance(pixels: Pixels, colour: NDArray[np.int16] | NDArray[np.float64]) -> Pixels:
    """Height x width: the largest absolute difference of a channel to one colour, 0..255."""
    result = np.zeros(pixels.shape[:2], np.uint8)
    for index in range(3):
        channel, value = pixels[:, :, index], np.uint8(round(float(colour[index])))
        np.maximum(result, np.maximum(channel, value) - np.minimum(channel, value), out=result)
    return result


def _paper_colour(pixels: Pixels) -> NDArray[np.int16]:
    """The median of the most frequent colour, with 16 steps a channel; of a large picture, of every n-th row and
    column."""
    stride = 1 + max(pixels.shape[:2]) // _PAPER_SIDE
    pixels = pixels[::stride, ::stride]
    coarse = (pixels >> 4).astype(np.int32)
    codes = (coarse[:, :, 0] << 8) | (coarse[:, :, 1] << 4) | coarse[:, :, 2]
    most = int(np.bincount(codes.ravel(), minlength=4096).argmax())
    return np.median(pixels[codes == most], axis=0).astype(np.int16)


def _part(number: int, stats: NDArray[np.int32]) -> Part:
    left, top, width, height, area = (int(value) for value in stats[:5])
    return Part(number, Box(left, top, left + width, top + height), area)
