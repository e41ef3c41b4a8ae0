"""The bars of a chart get other lengths: what the question reads off is then shown twice, differently."""

import re

import cv2
import numpy as np

from core.image_tokens import TOKEN
from core.pictures import Pixels
from core.records import Sample
from injectors.drawing import Box, Drawing, distance
from injectors.picture_edits import Edited

_CHART = re.compile(r"\b(?:bars?|charts?|graphs?|histograms?)\b|条形|柱[状形]|图表|统计图", re.IGNORECASE)
_MIN_BARS = 2
_MIN_BAR_SIDE = 8
_MIN_BAR_CHANGE = 0.12
_MIN_BAR_SHARE = 0.006
_FLAT = 24
_CAP = 3
_MAX_CLUTTER = 0.03
_MIN_CLEAR = 12
_BAR_DIFFERENCE = 48


def change_bars(drawing: Drawing, sample: Sample) -> Edited | None:
    """The bars of a bar chart get other lengths: the longest becomes the shortest. None when the text speaks of no
    chart, when there are no solid bars on one base line, or when something stands where a bar would grow."""
    if not _CHART.search(TOKEN.sub(" ", f"{sample.context or ''}\n{sample.query or ''}")):
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


def _find_bars(pixels: Pixels, drawing: Drawing) -> list[Box]:
    """Solid upright rectangles of like width that end on one base line, from left to right."""
    spread = distance(pixels, drawing.paper)
    solid = cv2.morphologyEx((spread > _BAR_DIFFERENCE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    bars: list[Box] = []
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        box = Box(left, top, left + wide, top + high)
        values = pixels[box.window][labels[box.window] == number]
        colour = np.median(values, axis=0)
        flat = float((np.abs(values - colour).max(axis=1) <= _FLAT).mean())
        if min(wide, high) >= _MIN_BAR_SIDE and area >= 0.94 * wide * high and flat >= 0.85:
            bars.append(box)
    return max((_on_line_of(bar, bars) for bar in bars), key=len, default=[])


def _are_bars(bars: list[Box], drawing: Drawing) -> bool:
    """Of different lengths, and the longest no mere dot or square of a pattern."""
    heights = [bar.height for bar in bars]
    longest = max(bars, key=lambda bar: bar.height)
    large = longest.width * longest.height >= _MIN_BAR_SHARE * drawing.ink.size
    return large and longest.height >= 1.2 * longest.width and min(heights) < 0.9 * longest.height


def _on_line_of(bar: Box, bars: list[Box]) -> list[Box]:
    return sorted(
        (other for other in bars if abs(other.bottom - bar.bottom) <= 2 and 0.85 <= other.width / bar.width <= 1.18),
        key=lambda other: other.left,
    )


def _resize(pixels: Pixels, bars: list[Box], drawing: Drawing) -> Pixels | None:
    longest = max(bar.height for bar in bars)
    shortest = min(bar.height for bar in bars)
    result = pixels.copy()
    for bar in bars:
        length = longest + shortest - bar.height
        if abs(length - bar.height) < _MIN_BAR_CHANGE * longest:
            length = round(0.55 * bar.height)
        top = bar.bottom - length
        beside = _beside(pixels, bar, drawing)
        if beside is None or not _is_free(pixels, bar, top, beside):
            return None
        _redraw(result, pixels, bar, top, beside)
    return result


def _is_free(pixels: Pixels, bar: Box, top: int, beside: Pixels) -> bool:
    """Nothing but the background stands on the bar or where it will grow: a number there would contradict the bar."""
    rows = slice(max(0, min(top, bar.top - max(_MIN_CLEAR, bar.width)) - 2), max(0, bar.top - 2))
    above = np.abs(pixels[rows, bar.left : bar.right].astype(np.int16) - beside[rows, None])
    return above.size == 0 or float((above.max(axis=2) > _BAR_DIFFERENCE).mean()) < _MAX_CLUTTER


def _beside(pixels: Pixels, bar: Box, drawing: Drawing) -> Pixels | None:
    """The column of background beside a bar, with the grid lines that cross it."""
    for column in (bar.left - 4, bar.right + 3):
        if not 0 <= column < pixels.shape[1]:
            continue
        strip = pixels[:, column]
        spread = np.abs(strip.astype(np.int16) - drawing.paper).max(axis=1)
        if float((spread > _BAR_DIFFERENCE).mean()) < 0.2:
            return strip
    return None


def _redraw(result: Pixels, pixels: Pixels, bar: Box, top: int, beside: Pixels) -> None:
    """The end of the bar moves with its outline; a row of its middle is repeated below it."""
    columns = slice(max(0, bar.left - 2), bar.right + 2)
    first, start = max(0, bar.top - 2), max(0, top - 2)
    cap = pixels[first : bar.top + _CAP, columns]
    body = pixels[(bar.top + bar.bottom) // 2, columns]
    result[min(first, start) : bar.bottom - _CAP, columns] = beside[min(first, start) : bar.bottom - _CAP, None]
    result[start : bar.bottom - _CAP, columns] = body
    result[start : start + len(cap), columns] = cap
