"""Short pieces of lettering in a drawing (names of points, numbers, option letters): small parts of like height,
side by side, with clear paper all round. What stands in a line of running text is left out."""

from typing import NamedTuple

import numpy as np

from injectors.drawing import Box, Drawing, Part
from injectors.glyphs import Glyph, read_glyph

_MIN_HEIGHT = 7
_MAX_HEIGHT_SHARE = 0.16
_MAX_GLYPHS = 5
_MAX_PIECES = 80
_MAX_PARTS = 800
_LINE_GAP = 1.1
_GLYPH_GAP = 0.5
_CLEAR_SHARE = 0.12
_MIN_FILL = 0.16
_SLIM = 0.3
_MIN_SCORE = 0.76
_CERTAIN_SCORE = 0.84
_SMALL_SHARE = 0.45
_RAISED_SHARE = 0.75
STROKE = "|"
UNKNOWN = "?"


class Lettering(NamedTuple):
    """`text`: what it seems to say; | for a slim stroke (a bracket, a one, a dash), ? for a shape that is no letter.
    `certain`: every character fits so well that the text may be quoted."""

    box: Box
    text: str
    certain: bool


class _Word(NamedTuple):
    box: Box
    parts: tuple[Part, ...]


def find_lettering(drawing: Drawing) -> list[Lettering]:
    """In reading order. Every piece can be cut out with its box grown by a pixel without touching anything else."""
    glyphs = [part for part in drawing.parts if _is_glyph(part, drawing)]
    if len(glyphs) > _MAX_PARTS:
        return []
    words = _join(glyphs)
    alone = [word for word in words if _is_short(word) and _is_clear(word, drawing) and not _is_in_line(word, drawing)]
    if len(alone) > _MAX_PIECES:
        return []
    pieces = [_read(word, drawing) for word in alone]
    return sorted(pieces, key=lambda piece: (piece.box.top // piece.box.height, piece.box.left, piece.box.top))


def _is_glyph(part: Part, drawing: Drawing) -> bool:
    """No line, no dot, no outline of a shape: those are too long, too full or too empty for a letter."""
    height, width = drawing.pixels.shape[:2]
    box = part.box
    if box.height > _MAX_HEIGHT_SHARE * max(height, width, 120) or box.width > 2.2 * max(box.height, _MIN_HEIGHT):
        return False
    if box.height < _MIN_HEIGHT:
        return True
    fill, slim = part.area / (box.width * box.height), box.width / box.height
    return fill >= _MIN_FILL and not (fill > 0.72 and slim > 0.45) and not (fill > 0.8 and slim <= 0.45)


def _join(glyphs: list[Part]) -> list[_Word]:
    """Neighbours on one line become one piece."""
    words: list[_Word] = []
    for part in sorted(glyphs, key=lambda part: (part.box.left, part.box.top)):
        for index, word in enumerate(words):
            if _belongs(part.box, word.box):
                words[index] = _Word(word.box.joined(part.box), (*word.parts, part))
                break
        else:
            words.append(_Word(part.box, (part,)))
    return words


def _belongs(box: Box, word: Box) -> bool:
    tall = max(box.height, word.height)
    gap = max(box.left, word.left) - min(box.right, word.right)
    overlap = min(box.bottom, word.bottom) - max(box.top, word.top)
    ratio = tall / min(box.height, word.height)
    return gap <= max(2.0, _GLYPH_GAP * tall) and overlap >= max(-2.0, -0.15 * tall) and (ratio < 2 or ratio > 3.5)


def _is_short(word: _Word) -> bool:
    return word.box.height >= _MIN_HEIGHT and sum(part.box.height >= _MIN_HEIGHT for part in word.parts) <= _MAX_GLYPHS


def _is_in_line(word: _Word, drawing: Drawing) -> bool:
    """Something of like height follows or goes before on the same line, as near as words do in running text."""
    box = word.box
    for part in drawing.parts:
        other = part.box
        if part in word.parts or other.height < _MIN_HEIGHT:
            continue
        tall, small = max(other.height, box.height), min(other.height, box.height)
        overlap = min(other.bottom, box.bottom) - max(other.top, box.top)
        gap = max(other.left, box.left) - min(other.right, box.right)
        if tall < 1.8 * small and overlap > 0.6 * small and gap < _LINE_GAP * tall and _is_text_like(part):
            return True
    return False


def _is_text_like(part: Part) -> bool:
    """A letter, or letters that touch: not the outline of a shape and not a stroke or a block."""
    return _MIN_FILL <= part.area / (part.box.width * part.box.height) <= 0.72


def _is_clear(word: _Word, drawing: Drawing) -> bool:
    by = max(2, round(_CLEAR_SHARE * word.box.height))
    around = word.box.grown(by, drawing.pixels)
    return int(np.count_nonzero(drawing.ink[around.window])) == int(np.count_nonzero(drawing.ink[word.box.window]))


def _read(word: _Word, drawing: Drawing) -> Lettering:
    glyphs = [_read_part(part, word, drawing) for part in sorted(word.parts, key=lambda part: part.box.left)]
    certain = all(glyph.score >= _CERTAIN_SCORE for glyph in glyphs)
    return Lettering(word.box, "".join(glyph.character for glyph in glyphs), certain)


def _read_part(part: Part, word: _Word, drawing: Drawing) -> Glyph:
    """Small and raised marks (accents, primes, degree signs) are passed over, but a point and a dash count."""
    box = part.box
    if box.height < max(_MIN_HEIGHT, _SMALL_SHARE * word.box.height):
        middle = (box.top + box.bottom) / 2
        if len(word.parts) > 1 and box.width > 1.6 * box.height and abs(middle - _middle(word)) < 0.2 * word.box.height:
            return Glyph("-", 1.0)
        inside = word.box.left < box.left and box.right < word.box.right
        return Glyph("." if inside and middle > word.box.bottom - 0.25 * word.box.height else "", 1.0)
    if box.height < _RAISED_SHARE * word.box.height and box.bottom < _middle(word) + 0.15 * word.box.height:
        return Glyph("", 1.0)
    if box.width < _SLIM * box.height:
        return Glyph(STROKE, 1.0)
    glyph = read_glyph(drawing.labels[box.window] == part.number)
    return glyph if glyph.score >= _MIN_SCORE else Glyph(UNKNOWN, glyph.score)


def _middle(word: _Word) -> float:
    return (word.box.top + word.box.bottom) / 2
