"""Which labels of a drawing a text leans on: the letters of its options, the points that it names, or the numbers
that it leaves to the picture. The scale of an axis is left alone: nobody would believe it in another order."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from core.image_tokens import TOKEN
from core.records import Sample
from injectors.drawing import Drawing
from injectors.lettering import STROKE, Lettering, find_lettering
from injectors.picture_reliance import options_are_drawn

_NAMES = re.compile(r"(?<![A-Za-z\\])[A-Z]{1,5}(?![a-z])")
_ARTICLES = re.compile(r"(?:^|[.?!:]\s+|\n)[AI]\s|(?<=\s)[AI](?=\s[a-z])")
_COMMAND = re.compile(r"\\[A-Za-z]+\b")
_LETTERS = re.compile(r"\bletters?\b|字母", re.IGNORECASE)
_ROMAN = re.compile(r"\b(?:II|III|IV|VI)\b")
_SYMMETRIC = re.compile(
    r"\b(?:area|perimeter|sum|total|product|volume|average|mean|median|cost|altogether|whole)\b"
    r"|面积|周长|总|之和|体积|平均|一共|费用|多少元",
    re.IGNORECASE,
)
_SAME_IN_BOTH_CASES = "CKOPSUVWXYZ"
_DIGITS = str.maketrans({STROKE: "1", "I": "1", "l": "1", "O": "0", "D": "0", "S": "5", "B": "8", "Z": "2"})
_ONES = (STROKE, "I", "l")
_NUMBER = re.compile(r"-?\d{1,4}(?:\.\d+)?(?:[a-z%]{1,2})?")
_NAMED_SHARE = 0.6
_SIZE_RATIO = 1.35
_MIN_SCALE = 3
_MIN_HEIGHT_SHARE = 0.013
_MIN_LABELS, _MAX_LABELS = 2, 30


class LabelChoice(NamedTuple):
    """`symmetric`: the answer may be the same for another order of the same values (a sum, an area)."""

    labels: list[Lettering]
    what: str
    symmetric: bool


def choose_labels(drawing: Drawing, sample: Sample) -> LabelChoice | None:
    """Two to thirty labels of one kind and size, large enough to be read at a glance. None when the text needs none."""
    choice = _choose(find_lettering(drawing), sample)
    if choice is None or not _MIN_LABELS <= len(choice.labels) <= _MAX_LABELS:
        return None
    smallest = min(label.box.height for label in choice.labels)
    return None if smallest < _MIN_HEIGHT_SHARE * max(drawing.ink.shape) else choice


def _choose(pieces: list[Lettering], sample: Sample) -> LabelChoice | None:
    if options_are_drawn(sample):
        options = _pick_options(pieces, sample)
        return None if options is None else LabelChoice(options, "option letters", symmetric=False)
    text = _COMMAND.sub(" ", TOKEN.sub(" ", "\n".join((sample.context or "", sample.query or "", *sample.options))))
    symmetric = _SYMMETRIC.search(text) is not None
    letters = LabelChoice(_pick_letters(pieces, text, 1 if symmetric else _NAMED_SHARE), "letters", symmetric=False)
    numbers = LabelChoice(_pick_numbers(pieces), "numbers", symmetric)
    first, second = (numbers, letters) if symmetric else (letters, numbers)
    return next((choice for choice in (first, second) if len(choice.labels) >= _MIN_LABELS), None)


def _pick_options(pieces: list[Lettering], sample: Sample) -> list[Lettering] | None:
    """The letters of all options, each once: then the letter of the right option moves too."""
    wanted = [TOKEN.sub("", option).strip(" ().（）．。").upper() for option in sample.options]
    labels = [piece._replace(text=name) for piece in pieces if (name := _letter(piece.text)) in wanted]
    return labels if sorted(label.text for label in labels) == sorted(wanted) else None


def _pick_letters(pieces: list[Lettering], text: str, named_share: float) -> list[Lettering]:
    """Those that the text names, if that share of its names is found; all, where it speaks of letters."""
    names = set("".join(_NAMES.findall(_ARTICLES.sub(" ", text))))
    if _ROMAN.search(text):
        names -= set("IVX")
    everything = _of_one_size(piece._replace(text=name) for piece in pieces if (name := _letter(piece.text)))
    named = [label for label in everything if label.text in names]
    if len({label.text for label in named}) >= max(_MIN_LABELS, named_share * len(names)):
        return named
    return everything if _LETTERS.search(text) else []


def _pick_numbers(pieces: list[Lettering]) -> list[Lettering]:
    """A leading dash may belong to a longer name (II-1): it counts for a scale only."""
    labels = _of_one_size(piece._replace(text=name) for piece in pieces if (name := _number(piece.text)))
    scale = _find_scale(labels)
    return [label for label in labels if label not in scale and not label.text.startswith("-")]


def _letter(text: str) -> str:
    """The capital letter that a piece such as |A| (brackets read as strokes) holds, or nothing."""
    core = text.strip(STROKE)
    if len(core) != 1 or not core.isalpha():
        return ""
    return core if core.isupper() else core.upper() if core.upper() in _SAME_IN_BOTH_CASES else ""


def _number(text: str) -> str:
    """A number with at most two letters of a unit; a one often reads as a stroke, a zero as an O."""
    first = text.removeprefix("-")[:1]
    if not (first.isdigit() or first in _ONES) or not any(map(str.isdigit, text)):
        return ""
    digits = text.translate(_DIGITS)
    return digits if _NUMBER.fullmatch(digits) else ""


def _of_one_size(labels: Iterable[Lettering]) -> list[Lettering]:
    """The largest set of like height: the heading of a picture is no label of a point."""
    everything = list(labels)
    sets = [
        [other for other in everything if label.box.height <= other.box.height <= _SIZE_RATIO * label.box.height]
        for label in everything
    ]
    return max(sets, key=len, default=[])


def _find_scale(labels: list[Lettering]) -> set[Lettering]:
    """All of a line in which three or more have values that grow evenly with their place."""
    found: set[Lettering] = set()
    for axis in (0, 1):
        for label in labels:
            line = [other for other in labels if _is_in_line(label, other, axis)]
            for first in line:
                even = [other for other in line if _grows_evenly(label, first, other, axis)]
                if len(even) >= _MIN_SCALE:
                    found.update(line)
    return found


def _is_in_line(one: Lettering, other: Lettering, axis: int) -> bool:
    """In a row (axis 0) or in a column (axis 1): numbers are set flush left, flush right or centred."""
    near = one.box.height / 3
    if axis == 0:
        return abs(_centre(one, 1) - _centre(other, 1)) <= near
    edges = ((one.box.left, other.box.left), (one.box.right, other.box.right), (_centre(one, 0), _centre(other, 0)))
    return any(abs(first - second) <= near for first, second in edges)


def _grows_evenly(one: Lettering, two: Lettering, other: Lettering, axis: int) -> bool:
    """The value of `other` lies on the straight line through the first two, within a tenth of their difference."""
    distance, difference = _centre(two, axis) - _centre(one, axis), _value(two) - _value(one)
    if abs(distance) < 1 or difference == 0:
        return False
    expected = _value(one) + difference * (_centre(other, axis) - _centre(one, axis)) / distance
    return abs(_value(other) - expected) <= abs(difference) * 0.1


def _value(label: Lettering) -> float:
    return float(label.text.rstrip("abcdefghijklmnopqrstuvwxyz%"))


def _centre(label: Lettering, axis: int) -> float:
    box = label.box
    return (box.top + box.bottom) / 2 if axis else (box.left + box.right) / 2
