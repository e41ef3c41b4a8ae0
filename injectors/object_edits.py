"""One of several like things in a drawing disappears: what the question counts is then shown in two numbers."""

import random
import re

import cv2
import numpy as np
from numpy.typing import NDArray

from core.image_tokens import TOKEN
from core.records import Sample
from injectors.drawing import Box, Drawing, Part
from injectors.picture_edits import Edited, name_place

_COUNTING = re.compile(r"\b(?:how\s+many|number\s+of|count)\b|多少|几[个只条块种]|数一数|个数|数量", re.IGNORECASE)
_MIN_THINGS, _MAX_THINGS = 3, 40
_MIN_THING_SHARE = 0.003
_MAX_THING_SHARE = 0.12
_REACH = 3
_LOOK = 32
_MIN_THING_SIDE = 0.06
_LOOK_ALIKE = 0.7
_MAX_COLOUR_DIFFERENCE = 30


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
    colours = [drawing.pixels[part.box.window].mean(axis=(0, 1)) for part in (one, other)]
    if np.abs(colours[0] - colours[1]).max() > _MAX_COLOUR_DIFFERENCE:
        return False
    first, second = _look(one.box, drawing), _look(other.box, drawing)
    norm = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return norm == 0 or float((first * second).sum()) / norm >= _LOOK_ALIKE


def _look(box: Box, drawing: Drawing) -> NDArray[np.float32]:
    small = cv2.resize(drawing.ink[box.window].astype(np.float32), (_LOOK, _LOOK), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 1.5)
    return small - small.mean()
