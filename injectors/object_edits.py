"""One of several like things in a drawing disappears, or the bars of a chart get other lengths: what the question
counts or reads off is then shown twice, differently."""

import random
import re
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.image_tokens import TOKEN
from core.pictures import Pixels
from core.records import Sample
from injectors.drawing import Box, Drawing, Part
from injectors.picture_edits import Edited, name_place

_COUNTING = re.compile(r"\b(?:how\s+many|number\s+of|count)\b|多少|几[个只条块种]|数一数|个数|数量", re.IGNORECASE)
_CHART = re.compile(r"\b(?:bars?|charts?|graphs?|histograms?)\b|条形|柱[状形]|图表|统计图", re.IGNORECASE)
_MIN_THINGS, _MAX_THINGS = 3, 40
_MIN_THING_SHARE = 0.003
_MAX_THING_SHARE = 0.12
_REACH = 3
_LOOK = 32
_MIN_THING_SIDE = 0.06
_LOOK_ALIKE = 0.55
_MIN_BARS = 2
_MIN_BAR_SIDE = 8
_FLAT = 24
_MIN_BAR_CHANGE = 0.12
_MIN_BAR_SHARE = 0.006


def remove_one_of_many(drawing: Drawing, sample: Sample, stream: random.Random) -> Edited | None:
    """One of at least three like things is painted over with paper. None when the text counts nothing, or when no thing
    stands clear of the others."""
    if not _COUNTING.search(_text_of(sample)):
        return None
    things = _largest_set([part for part in _join_near(drawing) if _is_thing(part, drawing)], drawing)
    if not _MIN_THINGS <= len(things) <= _MAX_THINGS:
        return None
    gone = stream.choice(things)
    pixels = drawing.pixels.copy()
    pixels[gone.box.grown(_REACH, pixels).window] = drawing.paper.astype(np.uint8)
    place = name_place(gone.box, pixels)
    return Edited(pixels, f"one of {len(things)} like things ({place}) is gone, so that {len(things) - 1} are left")


def change_bars(drawing: Drawing, sample: Sample) -> Edited | None:
    """The bars of a bar chart get other lengths: the longest becomes the shortest. None when the text speaks of no
    chart, when there are no solid bars on one base line, or when something stands where a bar would grow."""
    if not _CHART.search(_text_of(sample)):
        return None
    for upright in (True, False):
        turned = drawing.pixels if upright else np.ascontiguousarray(drawing.pixels.transpose(1, 0, 2)[::-1])
        bars = _find_bars(turned, drawing)
        if len(bars) >= _MIN_BARS and _are_bars(bars, drawing):
            pixels = _resize(turned, bars, drawing)
            if pixels is not None:
                back = pixels if upright else np.ascontiguousarray(pixels[::-1].transpose(1, 0, 2))
                return Edited(back, f"all {len(bars)} bars have other lengths and the longest is now the shortest")
    return None


def _text_of(sample: Sample) -> str:
    return TOKEN.sub(" ", "\n".join((sample.context or "", sample.query or "")))


def _join_near(drawing: Drawing) -> list[Part]:
    """Parts that lie within a few pixels of each other are one thing: a drawn animal is seldom a single stroke."""
    near = cv2.dilate(drawing.ink.astype(np.uint8), np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    return [_shrunk(number, stats[number]) for number in range(1, count)]


def _shrunk(number: int, stats: NDArray[np.int32]) -> Part:
    left, top, width, height, area = (int(value) for value in stats[:5])
    return Part(number, Box(left + _REACH, top + _REACH, left + width - _REACH, top + height - _REACH), area)


def _is_thing(part: Part, drawing: Drawing) -> bool:
    box, height, width = part.box, *drawing.ink.shape
    if not _MIN_THING_SHARE <= box.width * box.height / drawing.ink.size <= _MAX_THING_SHARE:
        return False
    if min(box.width, box.height) < max(10, _MIN_THING_SIDE * min(height, width)):
        return False
    if box.left < _REACH or box.top < _REACH or box.right > width - _REACH or box.bottom > height - _REACH:
        return False
    inside = np.count_nonzero(drawing.ink[box.window])
    return bool(np.count_nonzero(drawing.ink[box.grown(_REACH, drawing.pixels).window]) == inside)


def _largest_set(parts: list[Part], drawing: Drawing) -> list[Part]:
    sets = [[other for other in parts if _are_alike(part, other, drawing)] for part in parts]
    return max(sets, key=lambda found: (len(found), found[0].area), default=[])


def _are_alike(one: Part, other: Part, drawing: Drawing) -> bool:
    for a, b in ((one.box.width, other.box.width), (one.box.height, other.box.height)):
        if not 0.8 <= a / b <= 1.25:
            return False
    first, second = _look(one.box, drawing), _look(other.box, drawing)
    norm = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return norm == 0 or float((first * second).sum()) / norm >= _LOOK_ALIKE


def _look(box: Box, drawing: Drawing) -> NDArray[np.float32]:
    small = cv2.resize(drawing.ink[box.window].astype(np.float32), (_LOOK, _LOOK), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 1.5)
    return small - small.mean()


class _Bar(NamedTuple):
    box: Box
    colour: tuple[int, int, int]


def _find_bars(pixels: Pixels, drawing: Drawing) -> list[_Bar]:
    """Solid upright rectangles of like width that end on one base line, from left to right."""
    spread = np.abs(pixels.astype(np.int16) - drawing.paper).max(axis=2)
    solid = cv2.morphologyEx((spread > 48).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    bars: list[_Bar] = []
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        box = Box(left, top, left + wide, top + high)
        values = pixels[box.window][labels[box.window] == number]
        colour = np.median(values, axis=0)
        flat = float((np.abs(values - colour).max(axis=1) <= _FLAT).mean())
        if min(wide, high) >= _MIN_BAR_SIDE and area >= 0.94 * wide * high and flat >= 0.85:
            red, green, blue = (int(value) for value in colour)
            bars.append(_Bar(box, (red, green, blue)))
    return max((_on_line_of(bar, bars) for bar in bars), key=len, default=[])


def _are_bars(bars: list[_Bar], drawing: Drawing) -> bool:
    """Of different lengths, and the longest no mere dot or square of a pattern."""
    heights = [bar.box.height for bar in bars]
    longest = max(bars, key=lambda bar: bar.box.height).box
    large = longest.width * longest.height >= _MIN_BAR_SHARE * drawing.ink.size
    return large and longest.height >= 1.2 * longest.width and min(heights) < 0.9 * longest.height


def _on_line_of(bar: _Bar, bars: list[_Bar]) -> list[_Bar]:
    return sorted(
        (
            other
            for other in bars
            if abs(other.box.bottom - bar.box.bottom) <= 2 and 0.85 <= other.box.width / bar.box.width <= 1.18
        ),
        key=lambda other: other.box.left,
    )


def _resize(pixels: Pixels, bars: list[_Bar], drawing: Drawing) -> Pixels | None:
    longest = max(bar.box.height for bar in bars)
    shortest = min(bar.box.height for bar in bars)
    result = pixels.copy()
    for bar in bars:
        length = longest + shortest - bar.box.height
        if abs(length - bar.box.height) < _MIN_BAR_CHANGE * longest:
            length = round(0.55 * bar.box.height)
        top = bar.box.bottom - length
        beside = _beside(pixels, bar.box, drawing)
        if beside is None:
            return None
        _redraw(result, bar, top, beside)
    return result


def _beside(pixels: Pixels, bar: Box, drawing: Drawing) -> Pixels | None:
    """The column of background beside a bar, with the grid lines that cross it."""
    for column in (bar.left - 4, bar.right + 3):
        if not 0 <= column < pixels.shape[1]:
            continue
        strip = pixels[:, column]
        spread = np.abs(strip.astype(np.int16) - drawing.paper).max(axis=1)
        if float((spread > 48).mean()) < 0.2:
            return strip
    return None


def _redraw(result: Pixels, bar: _Bar, top: int, beside: Pixels) -> None:
    box = bar.box.grown(1, result)
    if top > box.top:
        result[box.top : top, box.left : box.right] = beside[box.top : top, None]
    else:
        result[top : bar.box.top + 1, bar.box.left : bar.box.right] = bar.colour
