"""The operations that make a region unreadable. Each gives new colours for the tiles that hold the chosen pixels, in
whole numbers only, so that the same pixels come out on every machine; means are those of chosen pixels alone."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.pictures import Pixels
from core.recipe import Operation
from injectors.picture_tiles import Tiles, sum_tiles, take_tiles
from injectors.salient_region import Mask

Colours = NDArray[np.uint8]
Whole = NDArray[np.int32]

CHANGE_THRESHOLD = 8
_REACHES_PER_SIDE = 10
_WAVES_PER_SIDE = 20
_GROUND_TOLERANCE = 24
_WAVES = ((1.0, 1.0), (1.7, 0.5), (1.2, 1.0), (1.5, 0.5))
_FLAT_COLOURS = (128, 0, 255)
_NO_CHANGE = np.zeros(3)
_SLIGHT_CHANGE = np.full(3, float(CHANGE_THRESHOLD))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pixels to degrade: those of `tiles` that are marked, `count` of them. `colours` are the pixels of the tiles,
    side by side (side x n·side x 3); `seed` serves operations that draw something."""

    pixels: Pixels
    tiles: Tiles
    colours: Colours
    count: int
    seed: int


def gather_chosen(pixels: Pixels, tiles: Tiles, seed: int) -> Chosen:
    colours = take_tiles(pixels, tiles.side, tiles.rows, tiles.columns)
    return Chosen(pixels, tiles, colours, int(np.count_nonzero(tiles.marks)), seed)


def find_unchanged(chosen: Chosen, after: Colours) -> Mask:
    """The chosen pixels whose strongest channel differs by no more than the threshold."""
    return _find_near(chosen.colours, after) & chosen.tiles.marks.view(np.bool_)


def blur(chosen: Chosen) -> Colours:
    """Mean of the chosen pixels of a tile and its eight neighbours, drawn smoothly over the borders."""
    side, rows, columns, _ = chosen.tiles
    down, across = _grid(chosen)
    totals = np.zeros((down, across, 4))
    totals[rows, columns] = _sum_chosen(chosen)
    around = cv2.boxFilter(totals, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    size = (across * side, down * side)
    smooth = np.asarray(
        cv2.resize(_divide(np.asarray(around, dtype=np.float64)), size, interpolation=cv2.INTER_LINEAR_EXACT),
        dtype=np.uint8,
    )
    return take_tiles(smooth, side, rows, columns)


def pixelate(chosen: Chosen) -> Colours:
    """One colour for each two by two tiles: the mean of their chosen pixels."""
    side, rows, columns, _ = chosen.tiles
    _, cells = np.unique(rows // 2 * _grid(chosen)[1] + columns // 2, return_inverse=True)
    totals = np.zeros((len(cells), 4))
    np.add.at(totals, cells, _sum_chosen(chosen))
    row = _divide(totals)[cells].view("V3").repeat(side)
    return np.broadcast_to(row, (side, row.size)).copy().view(np.uint8).reshape(chosen.colours.shape)


def warp(chosen: Chosen) -> Colours:
    """Content displaced by folding waves of up to 1.5 tenths of the short side, so that strokes are torn apart.

    Where the displaced pixel is bare ground (the commonest colour of the region) or equals the old one, the blurred
    ground shows instead: else a drawing would come back as white lines."""
    moved = chosen.pixels.reshape(-1).view("V3").take(_displace(chosen)).view(np.uint8).reshape(chosen.colours.shape)
    ground = _find_ground(chosen)
    bare = cv2.inRange(moved, ground - _GROUND_TOLERANCE, ground + _GROUND_TOLERANCE)
    hidden = _find_near(chosen.colours, moved).view(np.uint8) | np.asarray(bare, dtype=np.uint8)
    return np.asarray(cv2.copyTo(blur(chosen), hidden, moved), dtype=np.uint8)


def occlude(chosen: Chosen) -> Colours:
    """One flat colour: grey, or black or white where too much of the region is that grey already."""
    filled = [np.full_like(chosen.colours, flat) for flat in _FLAT_COLOURS]
    unchanged = [int(np.count_nonzero(find_unchanged(chosen, colours))) for colours in filled]
    return filled[0 if unchanged[0] * 20 <= chosen.count else int(np.argmin(unchanged))]


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


def _grid(chosen: Chosen) -> tuple[int, int]:
    """How many tiles cover the picture, down and across."""
    height, width = chosen.pixels.shape[:2]
    return -(-height // chosen.tiles.side), -(-width // chosen.tiles.side)


def _sum_chosen(chosen: Chosen) -> NDArray[np.float64]:
    """n x 4: the sums of the chosen pixels of each tile by channel, and their number. Exact."""
    side, _, _, marks = chosen.tiles
    colours = np.asarray(cv2.copyTo(chosen.colours, marks), dtype=np.uint8)
    return np.concatenate([sum_tiles(colours, side), sum_tiles(marks, side)[:, None]], axis=1)


def _divide(totals: NDArray[np.float64]) -> Colours:
    """Whole means of what `_sum_chosen` gives; 0 where there is no pixel."""
    return np.floor(totals[..., :3] / np.maximum(totals[..., 3:], 1) + 0.5).astype(np.uint8)


def _displace(chosen: Chosen) -> Whole:
    """The place in the flat picture from which each pixel of the tiles takes its colour: two waves along each axis. A
    displacement out of the picture is turned."""
    height, width = chosen.pixels.shape[:2]
    shorter, phases = min(height, width), random.Random(chosen.seed)
    waves = [
        _make_wave(
            max(height, width) + chosen.tiles.side,
            max(4, round(length * shorter / _WAVES_PER_SIDE)),
            max(2, round(strength * shorter / _REACHES_PER_SIDE)),
            phases.randrange(1 << 16),
        )
        for length, strength in _WAVES
    ]
    side, tile_rows, tile_columns, _ = chosen.tiles
    steps = np.arange(side, dtype=np.int32)
    rows = steps[:, None, None] + (tile_rows[:, None] * side).astype(np.int32)
    columns = steps + (tile_columns[:, None] * side).astype(np.int32)
    source = _turn(rows, waves[0].take(columns) + waves[1].take(rows), height)
    source *= np.int32(width)
    source += _turn(columns, waves[2].take(rows) + waves[3].take(columns), width)
    return source


def _make_wave(length: int, half: int, reach: int, phase: int) -> Whole:
    """Parabolic half waves: sine-like, in whole numbers."""
    number, place = np.divmod(np.arange(length) + phase, half)
    return ((1 - 2 * (number % 2)) * (4 * reach * place * (half - place) // (half * half))).astype(np.int32)


def _turn(places: Whole, displacement: Whole, length: int) -> Whole:
    """All within the picture, what tiles hold beyond its edges too."""
    moved = (places + displacement).reshape(-1)
    outside = np.flatnonzero(moved.view(np.uint32) >= length)  # below zero is a large number there
    back = 2 * np.broadcast_to(places, displacement.shape).reshape(-1)[outside] - moved[outside]
    moved[outside] = np.clip(back, 0, length - 1)
    return moved


def _find_ground(chosen: Chosen) -> Whole:
    """Middle of the commonest of 4096 colours: 16 steps a channel."""
    counts = cv2.calcHist([chosen.colours], [0, 1, 2], chosen.tiles.marks, [16] * 3, [0, 256] * 3)
    return np.array(np.unravel_index(int(np.argmax(counts)), counts.shape), dtype=np.int32) * 16 + 8


def _find_near(before: Colours, after: Colours) -> Mask:
    near = cv2.inRange(cv2.absdiff(before, after), _NO_CHANGE, _SLIGHT_CHANGE)
    return np.asarray(near) > 0
