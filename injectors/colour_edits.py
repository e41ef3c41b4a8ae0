"""What the text calls by its colour gets another colour, or the shading that the text speaks of moves to another
part of the drawing: the premise that the text leans on is then shown in two ways."""

import random
import re
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.image_tokens import TOKEN
from core.pictures import Pixels
from core.records import Sample
from injectors.drawing import Box, Drawing, Mask, distance
from injectors.picture_edits import Edited, name_place


class _Hue(NamedTuple):
    """Range of hues in OpenCV's 0..179 (it may wrap round 0), the hue it is painted in, and the words that name it."""

    name: str
    low: int
    high: int
    paint: int
    words: str

    def is_in(self, text: str) -> bool:
        return re.search(self.words, text, re.IGNORECASE) is not None


_HUES = (
    _Hue("red", 172, 7, 0, r"\bred(?:dish)?\b|红色|红(?=[球点线旗圆块方])"),
    _Hue("orange", 8, 19, 13, r"\borange\b|橙色|橘色|橙(?=[球点线圆块])"),
    _Hue("yellow", 20, 33, 27, r"\byellow\b|黄色|黄(?=[球点线旗圆块])"),
    _Hue("green", 36, 84, 60, r"\bgreen\b|绿色|绿(?=[球点线旗圆块])"),
    _Hue("blue", 90, 128, 113, r"\bblue\b|蓝色|蓝(?=[球点线旗圆块])"),
    _Hue("purple", 130, 165, 147, r"\b(?:purple|violet|magenta|pink)\b|紫色|粉色|粉红"),
)
_SHADE_WORDS = re.compile(
    r"\b(?:shad(?:ed|ing)|grey|gray|darken(?:ed)?|dark|black|colou?red|painted|filled)\b|阴影|灰色|黑色|涂色|涂黑|染色",
    re.IGNORECASE,
)
_MIN_SATURATION, _MIN_VALUE = 70, 90
_MIN_EDGE_SATURATION = 20
_CLEAR_HUES = 25
_MIN_COLOUR_SHARE = 0.003
_MAX_COLOUR_SHARE = 0.5
_SOLID_SHARE = 0.7
_MIN_FACE_SHARE = 0.004
_MAX_FACE_SHARE = 0.35
_MIN_FACE_SIDE = 8
_MIN_COMPACT = 0.35
_FLAT = 14
_MIN_SHADE = 24
_SHADE_TOLERANCE = 18
_MAX_LINE = 7
_BLACK = 60
_LINE_DEPTH = 40


def swap_named(pixels: Pixels, drawing: Drawing | None, sample: Sample) -> Edited | None:
    """A colour by which the query asks and another one that the text names go to each other's things. None when
    there are no two such colours that cover enough."""
    coloured = _find_named(pixels, drawing, _text_of(sample))
    asked = [found for found in coloured if found[0].is_in(sample.query or "")]
    if len(coloured) < 2 or not asked:
        return None
    first, first_mask = asked[0]
    second, second_mask = next(found for found in coloured if found[0] is not first)
    hsv = _to_hsv(pixels)
    painted = _paint(pixels, hsv, first_mask, second, keep=second_mask)
    painted = _paint(painted, hsv, second_mask, first, keep=first_mask)
    return Edited(painted, f"what is {first.name} in the original is {second.name}, and the other way round")


def recolour_asked(pixels: Pixels, drawing: Drawing | None, sample: Sample, stream: random.Random) -> Edited | None:
    """All that has a colour by which the query asks for it gets a colour that is neither in the text nor in the
    picture. None when the query names no colour, or none that covers enough of the picture."""
    coloured = _find_named(pixels, drawing, TOKEN.sub(" ", sample.query or ""))
    hsv, text = _to_hsv(pixels), _text_of(sample)
    free = [hue for hue in _HUES if not hue.is_in(text) and _pixels_of(hue, hsv).mean() < _MIN_COLOUR_SHARE / 4]
    if not coloured or not free:
        return None
    old, mask = coloured[0]
    new = stream.choice([hue for hue in free if _hue_distance(hue.paint, old.paint) >= _CLEAR_HUES] or free)
    painted = _paint(pixels, hsv, mask, new, keep=None)
    return Edited(painted, f"what is {old.name} in the original is {new.name}")


def move_shading(drawing: Drawing, sample: Sample, stream: random.Random) -> Edited | None:
    """One shaded area becomes plain and one plain area of like size is shaded. None when the text does not speak of
    shading, or when no two such areas can be told from the rest."""
    if not _SHADE_WORDS.search(_text_of(sample)):
        return None
    shaded, plain = _faces(drawing)
    pairs = [(one, other) for one in shaded for other in plain if 0.5 <= one.area / other.area <= 2]
    if not pairs:
        return None
    old, new = stream.choice(pairs)
    shade = np.median(drawing.pixels[old.box.window][old.mask], axis=0)
    pixels = drawing.pixels.copy()
    _clear(pixels, old, shade, drawing.paper)
    _fill(pixels, new, shade, drawing.paper)
    places = name_place(old.box, drawing.pixels), name_place(new.box, drawing.pixels)
    return Edited(pixels, f"a shaded area ({places[0]}) is plain and a plain area ({places[1]}) is shaded")


class _Face(NamedTuple):
    """An area of one flat colour that does not reach the border of the picture; `mask` is the content of `box`."""

    box: Box
    area: int
    mask: Mask


def _text_of(sample: Sample) -> str:
    return TOKEN.sub(" ", "\n".join((sample.context or "", sample.query or "", *sample.options)))


def _find_named(pixels: Pixels, drawing: Drawing | None, text: str) -> list[tuple[_Hue, Mask]]:
    """Colours that the text names and that cover enough, the largest first. In a photograph (no `drawing`) the colour
    must be that of solid things: purple leaves would look odd, a purple road sign does not."""
    named = [hue for hue in _HUES if hue.is_in(text)]
    hsv = _to_hsv(pixels) if named else pixels
    masks = [(hue, _pixels_of(hue, hsv)) for hue in named]
    fitting = [
        (hue, mask)
        for hue, mask in masks
        if _MIN_COLOUR_SHARE <= mask.mean() <= _MAX_COLOUR_SHARE and (drawing is not None or _is_solid(mask))
    ]
    return sorted(fitting, key=lambda found: -int(np.count_nonzero(found[1])))


def _to_hsv(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV), np.uint8)


def _pixels_of(hue: _Hue, hsv: Pixels) -> Mask:
    value, vivid = hsv[:, :, 0], (hsv[:, :, 1] >= _MIN_SATURATION) & (hsv[:, :, 2] >= _MIN_VALUE)
    if hue.low > hue.high:
        return vivid & ((value >= hue.low) | (value <= hue.high))
    return vivid & (value >= hue.low) & (value <= hue.high)


def _is_solid(mask: Mask) -> bool:
    """Most of it lies in one or two pieces without holes."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    largest = sorted((int(area) for area in stats[1:, cv2.CC_STAT_AREA]), reverse=True)[:2]
    return sum(largest) >= _SOLID_SHARE * np.count_nonzero(mask)


def _hue_distance(one: int, other: int) -> int:
    return min(abs(one - other), 180 - abs(one - other))


def _paint(pixels: Pixels, hsv: Pixels, mask: Mask, new: _Hue, keep: Mask | None) -> Pixels:
    """The hue is turned and lightness kept; pale edge pixels next to the colour turn with it, those of `keep` do
    not."""
    near = cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    turned = hsv.copy()
    turned[:, :, 0] = new.paint
    painted = cv2.cvtColor(turned, cv2.COLOR_HSV2RGB)
    edge = near & (hsv[:, :, 1] >= _MIN_EDGE_SATURATION)
    chosen = mask | (edge if keep is None else edge & ~keep)
    return np.where(chosen[:, :, None], painted, pixels)


def _faces(drawing: Drawing) -> tuple[list[_Face], list[_Face]]:
    """Shaded ones and plain ones."""
    spread = distance(drawing.pixels, drawing.paper)
    plain = _closed_areas(spread <= _FLAT)
    shaded = [face for shade in _shades(drawing, spread) for face in _shaded_areas(drawing.pixels, shade)]
    return shaded, plain


def _shades(drawing: Drawing, spread: Pixels) -> list[NDArray[np.float64]]:
    """The frequent colours that are clearly not paper, in 16 steps a channel."""
    coarse = (drawing.pixels >> 4).astype(np.int32)
    codes = (coarse[:, :, 0] << 8) | (coarse[:, :, 1] << 4) | coarse[:, :, 2]
    inked = spread > _MIN_SHADE
    counts = np.bincount(codes[inked], minlength=4096)
    frequent = np.flatnonzero(counts >= _MIN_FACE_SHARE * codes.size)
    return [np.median(drawing.pixels[inked & (codes == code)], axis=0) for code in frequent]


def _shaded_areas(pixels: Pixels, shade: NDArray[np.float64]) -> list[_Face]:
    """Lines are as dark as black areas but thin: opening takes them away."""
    near = distance(pixels, shade) <= _SHADE_TOLERANCE
    near = near.astype(np.uint8)
    thick = cv2.morphologyEx(near, cv2.MORPH_OPEN, np.ones((_MAX_LINE, _MAX_LINE), np.uint8))
    if shade.max() >= _BLACK:
        for _ in range(_MAX_LINE):  # back into the corners that opening has cut off
            thick = cv2.min(cv2.dilate(thick, np.ones((3, 3), np.uint8)), near)
    return _closed_areas(thick > 0)


def _closed_areas(mask: Mask) -> list[_Face]:
    height, width = mask.shape
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    faces: list[_Face] = []
    for number in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[number])
        touches = left == 0 or top == 0 or left + wide == width or top + high == height
        if touches or not _MIN_FACE_SHARE <= area / mask.size <= _MAX_FACE_SHARE:
            continue
        if area >= _MIN_COMPACT * wide * high and min(wide, high) >= _MIN_FACE_SIDE:
            box = Box(left, top, left + wide, top + high)
            faces.append(_Face(box, area, labels[box.window] == number))
    return faces


def _clear(pixels: Pixels, face: _Face, shade: NDArray[np.float64], paper: NDArray[np.int16]) -> None:
    """Paper takes the place of the shade and of its pale edge; lines, which are darker, stay. A black area cannot
    be told from its lines, so it keeps a rim."""
    if shade.max() < _BLACK:
        core = cv2.erode(face.mask.astype(np.uint8), np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT) > 0
        pixels[face.box.window][core] = paper
        return
    box, around = _grown(face, pixels, 3)
    window = pixels[box.window]
    lines = (shade.astype(np.int16) - window).max(axis=2) > _LINE_DEPTH
    window[around & ~lines] = paper


def _fill(pixels: Pixels, face: _Face, shade: NDArray[np.float64], paper: NDArray[np.int16]) -> None:
    """The shade dims paper and leaves dark lines dark."""
    box, around = _grown(face, pixels, 1)
    window = pixels[box.window]
    dimmed = np.clip(window * (shade / np.maximum(paper, 1)), 0, 255).astype(np.uint8)
    window[around] = dimmed[around]


def _grown(face: _Face, pixels: Pixels, by: int) -> tuple[Box, Mask]:
    box = face.box.grown(by, pixels)
    mask = np.zeros((box.height, box.width), np.uint8)
    top, left = face.box.top - box.top, face.box.left - box.left
    mask[top : top + face.box.height, left : left + face.box.width] = face.mask
    return box, cv2.dilate(mask, np.ones((2 * by + 1, 2 * by + 1), np.uint8)) > 0
