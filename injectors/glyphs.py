"""Which letter or digit a small shape is, by comparing it with the strokes of plain, serif and italic alphabets. It
need not read well: it has to tell letters from digits, and both from dashes, dots and symbols, so that only labels
are moved."""

import string
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

_SIDE = 18
_MARGIN = 1
_ALPHABET = string.ascii_uppercase + string.digits + "abdefghkmnpqrtxyz"
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX | cv2.FONT_ITALIC,
    cv2.FONT_HERSHEY_TRIPLEX | cv2.FONT_ITALIC,
)
_THICKNESSES = (3, 8)


class Glyph(NamedTuple):
    """The character that fits best, and how well: 1 is equal, letters reach about 0.75, other shapes seldom 0.65."""

    character: str
    score: float


def read_glyph(ink: NDArray[np.bool_]) -> Glyph:
    """Height x width, True where the shape is."""
    characters, templates = _templates()
    scores = templates @ _normalise(ink.astype(np.float32))
    best = int(scores.argmax())
    return Glyph(characters[best], float(scores[best]))


@cache
def _templates() -> tuple[str, NDArray[np.float32]]:
    drawn = [
        (character, _normalise(shape))
        for character in _ALPHABET
        for shape in (*_draw_strokes(character), _draw_sans(character))
    ]
    return "".join(character for character, _ in drawn), np.stack([shape for _, shape in drawn])


def _draw_strokes(character: str) -> Iterator[NDArray[np.float32]]:
    for font in _FONTS:
        for thickness in _THICKNESSES:
            canvas = np.zeros((160, 160), np.uint8)
            cv2.putText(canvas, character, (30, 110), font, 3.0, 255, thickness)
            yield _cut(canvas)


def _draw_sans(character: str) -> NDArray[np.float32]:
    """Pillow's own font, close to what most diagrams are lettered in."""
    image = Image.new("L", (160, 160))
    ImageDraw.Draw(image).text((30, 20), character, fill=255, font=ImageFont.load_default(90))
    return _cut(np.asarray(image))


def _cut(canvas: NDArray[np.uint8]) -> NDArray[np.float32]:
    rows, columns = np.nonzero(canvas)
    return canvas[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].astype(np.float32)


def _normalise(shape: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scaled into a square with its proportions kept, blurred a little, zero mean, length 1."""
    height, width = shape.shape
    scale = _SIDE / max(height, width)
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(shape, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    whole = _SIDE + 2 * _MARGIN
    square = np.zeros((whole, whole), np.float32)
    top, left = (whole - inner[1]) // 2, (whole - inner[0]) // 2
    square[top : top + inner[1], left : left + inner[0]] = small
    flat = cv2.GaussianBlur(square, (0, 0), 0.9).ravel()
    flat -= flat.mean()
    length = float(np.linalg.norm(flat))
    return flat / length if length else flat
