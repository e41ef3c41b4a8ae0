"""Names of points, numbers or option letters of a drawing change places: each of them then stands somewhere else,
so the copy contradicts the original whichever of them the question asks about."""

import random
import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.image_tokens import TOKEN
from core.records import Sample
from injectors.drawing import Box, Drawing
from injectors.lettering import STROKE, Lettering, find_lettering
from injectors.picture_edits import Edited
from injectors.picture_reliance import options_are_drawn

_NAMES = re.compile(r"(?<![A-Za-z\\])[A-Z]{1,5}(?![a-z])")
_ARTICLES = re.compile(r"(?:^|[.?!:]\s+|\n)[AI]\s|(?<=\s)[AI](?=\s[a-z])")
_COMMAND = re.compile(r"\\[A-Za-z]+\b")
_LETTERS = re.compile(r"\bletters?\b|字母", re.IGNORECASE)
_ROMAN = re.compile(r"\b(?:II|III|IV|VI)\b")
_SAME_IN_BOTH_CASES = "CKOPSUVWXYZ"
_MIN_LABELS, _MAX_LABELS = 2, 30
_MIN_HEIGHT_SHARE = 0.013
_NAMED_SHARE = 0.6
_UNIQUE_SHARE = 0.5
_SIZE_RATIO = 1.35


def exchange_labels(drawing: Drawing, sample: Sample, stream: random.Random) -> Edited | None:
    """All labels of one kind that the text speaks of go to each other's places, none stays. None when the text
    speaks of no labels, or when too few of them can be told from the rest of the drawing."""
    pieces = find_lettering(drawing)
    labels = _pick_options(pieces, sample) if options_are_drawn(sample) else _pick_named(pieces, sample)
    if not labels or not _MIN_LABELS <= len(labels) <= _MAX_LABELS:
        return None
    if min(label.box.height for label in labels) < _MIN_HEIGHT_SHARE * max(drawing.ink.shape):
        return None
    order = _derange(labels, drawing, stream)
    if order is None:  # too many of them say the same: one of each may do
        unique = list({label.text: label for label in labels}.values())
        if len(unique) < max(_MIN_LABELS, _UNIQUE_SHARE * len(labels)):
            return None
        labels, order = unique, _derange(unique, drawing, stream)
    if order is None:
        return None
    moves = [f"{labels[index].text} stands where {label.text} was" for label, index in zip(labels, order, strict=True)]
    told = ", ".join(moves[:4]) + (" and so on" if len(moves) > 4 else "")
    return Edited(_move(labels, order, drawing), f"{len(labels)} labels have changed places: {told}")


def _pick_options(pieces: list[Lettering], sample: Sample) -> list[Lettering] | None:
    """The letters of all options, each once: then the letter of the right option moves too."""
    wanted = [TOKEN.sub("", option).strip(" ().（）．。").upper() for option in sample.options]
    labels = [piece._replace(text=name) for piece in pieces if (name := _letter(piece.text)) in wanted]
    return labels if sorted(label.text for label in labels) == sorted(wanted) else None


def _pick_named(pieces: list[Lettering], sample: Sample) -> list[Lettering] | None:
    """The letters that the text names, or all where it speaks of letters; or else the numbers in the drawing."""
    text = _COMMAND.sub(" ", TOKEN.sub(" ", "\n".join((sample.context or "", sample.query or "", *sample.options))))
    names = set("".join(_NAMES.findall(_ARTICLES.sub(" ", text))))
    if _ROMAN.search(text):
        names -= set("IVX")
    everything = _of_one_size(piece._replace(text=name) for piece in pieces if (name := _letter(piece.text)))
    letters = [label for label in everything if label.text in names]
    if len({label.text for label in letters}) >= max(_MIN_LABELS, _NAMED_SHARE * len(names)):
        return letters
    if _LETTERS.search(text) and len(everything) >= _MIN_LABELS:
        return everything
    numbers = _of_one_size(piece._replace(text=name) for piece in pieces if (name := _number(piece.text)))
    return None if _has_scale(numbers) else numbers


def _letter(text: str) -> str:
    """The capital letter that a piece such as |A| (brackets read as strokes) holds, or nothing."""
    core = text.strip(STROKE)
    if len(core) != 1 or not core.isalpha():
        return ""
    return core if core.isupper() else core.upper() if core.upper() in _SAME_IN_BOTH_CASES else ""


def _number(text: str) -> str:
    digits = text.replace(STROKE, "1").replace("O", "0").replace("I", "1")
    return digits if digits.isdecimal() and text != STROKE else ""


def _of_one_size(labels: Iterable[Lettering]) -> list[Lettering]:
    """The largest set of like height: the heading of a picture is no label of a point."""
    everything = list(labels)
    sets = [
        [other for other in everything if label.box.height <= other.box.height <= _SIZE_RATIO * label.box.height]
        for label in everything
    ]
    return max(sets, key=len, default=[])


def _has_scale(labels: list[Lettering]) -> bool:
    """Four or more in one line at equal steps: the numbers of an axis, which nobody would believe in another order."""
    for axis in (0, 1):
        for label in labels:
            line = [
                _centre(other, axis)
                for other in labels
                if abs(_centre(other, 1 - axis) - _centre(label, 1 - axis)) <= 0.3 * label.box.height
            ]
            if len(line) >= 4 and _has_equal_steps(line):
                return True
    return False


def _has_equal_steps(positions: list[float]) -> bool:
    """Every step is a whole multiple of the smallest: a number in between may not have been read."""
    steps = np.diff(sorted(positions))
    multiples = steps / max(float(steps.min()), 1.0)
    return bool((np.abs(multiples - multiples.round()) <= 0.15).all())


def _centre(label: Lettering, axis: int) -> float:
    box = label.box
    return (box.top + box.bottom) / 2 if axis else (box.left + box.right) / 2


def _derange(labels: list[Lettering], drawing: Drawing, stream: random.Random) -> list[int] | None:
    """order[i]: which label comes to the place of label i: one of another text that has room there."""
    choices: list[list[int]] = []
    for label in labels:
        fitting = [
            index
            for index, other in enumerate(labels)
            if other.text != label.text and _has_room(label.box, other.box, drawing)
        ]
        stream.shuffle(fitting)
        choices.append(fitting)
    taken: dict[int, int] = {}
    for place in range(len(labels)):
        if not _assign(place, choices, taken, set()):
            return None
    places = {place: index for index, place in taken.items()}
    return [places[place] for place in range(len(labels))]


def _assign(place: int, choices: list[list[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """One augmenting path of a bipartite matching; `taken` maps a label to its new place."""
    for index in choices[place]:
        if index in tried:
            continue
        tried.add(index)
        if index not in taken or _assign(taken[index], choices, taken, tried):
            taken[index] = place
            return True
    return False


def _has_room(place: Box, piece: Box, drawing: Drawing) -> bool:
    """With a border of a pixel, the piece covers no ink but that of the label that leaves."""
    box = _centred(place, piece)
    height, width = drawing.ink.shape
    if box.left < 1 or box.top < 1 or box.right > width - 1 or box.bottom > height - 1:
        return False
    around = box.grown(1, drawing.pixels)
    shared = (
        slice(max(around.top, place.top), min(around.bottom, place.bottom)),
        slice(max(around.left, place.left), min(around.right, place.right)),
    )
    return int(np.count_nonzero(drawing.ink[around.window])) == int(np.count_nonzero(drawing.ink[shared]))


def _centred(place: Box, piece: Box) -> Box:
    left = (place.left + place.right - piece.width) // 2
    top = (place.top + place.bottom - piece.height) // 2
    return Box(left, top, left + piece.width, top + piece.height)


def _move(labels: list[Lettering], order: list[int], drawing: Drawing) -> NDArray[np.uint8]:
    """Cut with a border of a pixel, because the edge of a letter is paler than ink, and set on the local paper."""
    result = drawing.pixels.copy()
    for label in labels:
        result[label.box.grown(1, drawing.pixels).window] = _local_paper(label.box, drawing)
    for place, index in enumerate(order):
        source = labels[index].box.grown(1, drawing.pixels)
        target = _centred(labels[place].box, source)
        shade = drawing.pixels[source.window].astype(np.int16) - _local_paper(labels[index].box, drawing)
        result[target.window] = np.clip(_local_paper(labels[place].box, drawing) + shade, 0, 255).astype(np.uint8)
    return result


def _local_paper(box: Box, drawing: Drawing) -> NDArray[np.int16]:
    around = box.grown(2, drawing.pixels).window
    clear = drawing.pixels[around][~drawing.ink[around]]
    return drawing.paper if clear.size == 0 else np.median(clear, axis=0).astype(np.int16)
