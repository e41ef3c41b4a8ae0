"""The operations that make a region unreadable. Each gives new colours for the chosen pixels alone, in whole numbers
only, so that nothing leaks out of the region and the same pixels come out on every machine."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from core.pictures import Pixels
from core.recipe import Operation
from injectors.salient_region import Mask

Colours = NDArray[np.uint8]
Whole = NDArray[np.int32]

CHANGE_THRESHOLD = 8
_PIXELATE_CELLS = 12
_BLUR_CELLS = 24
_MIN_CELL = 8
_REACHES_PER_SIDE = 10
_WAVES_PER_SIDE = 20
_GROUND_TOLERANCE = 24
_WAVES = ((1.0, 1.0), (1.7, 0.5), (1.2, 1.0), (1.5, 0.5))
_FLAT_COLOURS = (128, 0, 255)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pixels to degrade: `places` in the flat picture, `rows`, `columns` and `colours` (n x 3) of each, in reading
    order; `seed` serves operations that draw something."""

    pixels: Pixels
    places: NDArray[np.intp]
    rows: Whole
    columns: Whole
    colours: Colours
    seed: int

    @property
    def side(self) -> int:
        return min(self.pixels.shape[:2])


def gather_chosen(pixels: Pixels, mask: Mask, seed: int) -> Chosen:
    places = np.flatnonzero(mask)
    rows, columns = np.divmod(places.astype(np.int32), np.int32(mask.shape[1]))
    return Chosen(pixels, places, rows, columns, _take(pixels, places), seed)


def put_colours(pixels: Pixels, places: NDArray[np.intp], colours: Colours) -> Pixels:
    """A copy of the picture with new colours at the places."""
    copy = pixels.copy()
    np.put(_whole_colours(copy), places, _whole_colours(colours))
    return copy


def find_unchanged(before: Colours, after: Colours) -> Mask:
    """Of n x 3 colours: those whose strongest channel differs by no more than the threshold."""
    difference = cv2.absdiff(before.reshape(-1, 1, 3), after.reshape(-1, 1, 3))
    return _lies_between(difference, (0, 0, 0), (CHANGE_THRESHOLD,) * 3)


def blur(chosen: Chosen) -> Colours:
    """Mean of the chosen pixels within 1.5 cells of 1/24 of the short side, drawn smoothly over the cell borders."""
    cell = max(_MIN_CELL, chosen.side // _BLUR_CELLS)
    _, counts, sums = _sum_cells(chosen, cell)
    around = cv2.boxFilter(sums, cv2.CV_64F, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    number = cv2.boxFilter(counts, cv2.CV_64F, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    means = _divide(np.asarray(around, dtype=np.float64), np.asarray(number, dtype=np.float64))
    size = (means.shape[1] * cell, means.shape[0] * cell)
    smooth = np.asarray(cv2.resize(means, size, interpolation=cv2.INTER_LINEAR_EXACT), dtype=np.uint8)
    return _take(smooth, chosen.rows.astype(np.intp) * size[0] + chosen.columns)


def pixelate(chosen: Chosen) -> Colours:
    """One colour a cell of 1/12 of the short side: the mean of its chosen pixels."""
    cells, counts, sums = _sum_cells(chosen, max(_MIN_CELL, chosen.side // _PIXELATE_CELLS))
    return _take(_divide(sums, counts), cells)


def warp(chosen: Chosen) -> Colours:
    """Content displaced by folding waves of up to 1.5 tenths of the short side, so that strokes are torn apart.

    Where the displaced pixel is bare ground (the commonest colour of the region) or equals the old one, the blurred
    ground shows instead: else a drawing would come back as white lines."""
    moved = _take(chosen.pixels, _displace(chosen))
    ground = _find_ground(chosen.colours)
    bare = _lies_between(moved.reshape(-1, 1, 3), ground - _GROUND_TOLERANCE, ground + _GROUND_TOLERANCE)
    shown = np.flatnonzero(~(bare | find_unchanged(chosen.colours, moved)))
    return put_colours(blur(chosen), shown, _take(moved, shown))


def occlude(chosen: Chosen) -> Colours:
    """One flat colour: grey, or black or white where too much of the region is that grey already."""
    filled = [np.full_like(chosen.colours, flat) for flat in _FLAT_COLOURS]
    unchanged = [int(np.count_nonzero(find_unchanged(chosen.colours, colours))) for colours in filled]
    return filled[0 if unchanged[0] * 20 <= len(chosen.colours) else int(np.argmin(unchanged))]


def replace_by_noise(chosen: Chosen) -> Colours:
    """A random colour for each pixel: noise added to the old one is averaged away by the eye."""
    drawn = np.random.PCG64(chosen.seed).random_raw(-(-chosen.colours.size // 8)).astype("<u8").view(np.uint8)
    return drawn[: chosen.colours.size].reshape(chosen.colours.shape)


OPERATIONS: Mapping[Operation, Callable[[Chosen], Colours]] = {
    "blur": blur,
    "pixelate": pixelate,
    "warp": warp,
    "occlusion": occlude,
    "noise": replace_by_noise,
}


def _sum_cells(chosen: Chosen, cell: int) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """The cell of each pixel, and by cell the number and the sum of the pixels (whole numbers as float64)."""
    height, width = chosen.pixels.shape[:2]
    down, across = -(-height // cell), -(-width // cell)
    cells = (np.arange(height) // cell * across).take(chosen.rows)
    cells += (np.arange(width) // cell).take(chosen.columns)
    counts = np.bincount(cells, minlength=down * across)
    sums = [np.bincount(cells, weights=chosen.colours[:, channel], minlength=down * across) for channel in range(3)]
    totals = np.stack(sums, axis=-1).astype(np.float64).reshape(down, across, 3)
    return cells, counts.astype(np.float64).reshape(down, across), totals


def _divide(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> Colours:
    return np.floor(sums / np.maximum(counts, 1)[..., None] + 0.5).astype(np.uint8)


def _displace(chosen: Chosen) -> NDArray[np.intp]:
    """Where each pixel takes its colour: two waves along each axis. A displacement out of the picture is turned."""
    height, width = chosen.pixels.shape[:2]
    phases = random.Random(chosen.seed)
    waves = [
        _make_wave(
            max(height, width),
            max(4, round(length * chosen.side / _WAVES_PER_SIDE)),
            max(2, round(strength * chosen.side / _REACHES_PER_SIDE)),
            phases.randrange(1 << 16),
        )
        for length, strength in _WAVES
    ]
    down = waves[0].take(chosen.columns) + waves[1].take(chosen.rows)
    across = waves[2].take(chosen.rows) + waves[3].take(chosen.columns)
    return _turn(chosen.rows, down, height).astype(np.intp) * width + _turn(chosen.columns, across, width)


def _make_wave(length: int, half: int, reach: int, phase: int) -> Whole:
    """Parabolic half waves: sine-like, in whole numbers."""
    number, place = np.divmod(np.arange(length) + phase, half)
    return ((1 - 2 * (number % 2)) * (4 * reach * place * (half - place) // (half * half))).astype(np.int32)


def _turn(places: Whole, displacement: Whole, length: int) -> Whole:
    moved = places + displacement
    outside = np.flatnonzero(moved.view(np.uint32) >= length)  # below zero is a large number there
    moved[outside] = np.clip(places[outside] - displacement[outside], 0, length - 1)
    return moved


def _find_ground(colours: Colours) -> Whole:
    """Middle of the commonest of 4096 colours: 16 steps a channel."""
    counts = cv2.calcHist([colours.reshape(-1, 1, 3)], [0, 1, 2], None, [16] * 3, [0, 256] * 3)
    return np.array(np.unravel_index(int(np.argmax(counts)), counts.shape), dtype=np.int32) * 16 + 8


def _take(colours: Colours, places: NDArray[np.integer]) -> Colours:
    """n x 3, from the flat picture: three bytes at a time, which is several times faster than by channel."""
    return _whole_colours(colours).take(places).view(np.uint8).reshape(-1, 3)


def _whole_colours(colours: Colours) -> NDArray[np.void]:
    return colours.reshape(-1).view("V3")


def _lies_between(colours: MatLike, low: Sequence[int] | Whole, high: Sequence[int] | Whole) -> Mask:
    return np.asarray(cv2.inRange(colours, np.array(low), np.array(high))).ravel() > 0
