"""Names of points, numbers or option letters of a drawing change places: each of them then stands somewhere else,
so the copy contradicts the original whichever of them the question asks about."""

import random

import numpy as np
from numpy.typing import NDArray

from core.records import Sample
from injectors.drawing import Box, Drawing
from injectors.label_choice import LabelChoice, choose_labels
from injectors.lettering import Lettering
from injectors.picture_edits import Edited

_MIN_LABELS = 2
_UNIQUE_SHARE = 0.5
_TOLD = 4


def exchange_labels(drawing: Drawing, sample: Sample, stream: random.Random) -> Edited | None:
    """All labels of one kind that the text leans on go to each other's places. Where the order of values may not matter
    (a sum, an area), they become copies of others instead. None when there are no such labels, or no room."""
    choice = choose_labels(drawing, sample)
    if choice is None:
        return None
    planned = _change_all(choice, drawing, stream) if choice.symmetric else _derange_all(choice, drawing, stream)
    if planned is None:
        return None
    labels, order = planned
    return Edited(_move(labels, order, drawing), _tell(choice, labels, order))


def _tell(choice: LabelChoice, labels: list[Lettering], order: list[int]) -> str:
    moves = [
        f"{labels[index].text} stands where {labels[place].text} was"
        for place, index in enumerate(order)
        if index != place
    ]
    if choice.what == "numbers" and not all(label.certain for label in labels):
        return f"{len(moves)} of the {choice.what} have changed, each into another of them"
    told = ", ".join(moves[:_TOLD]) + (" and so on" if len(moves) > _TOLD else "")
    return f"{len(moves)} of the {choice.what} have changed: {told}"


_Plan = tuple[list[Lettering], list[int]]


def _change_all(choice: LabelChoice, drawing: Drawing, stream: random.Random) -> _Plan | None:
    """The labels, and for every place another label that comes there, so that some value is there more often than
    before. Of two labels only one changes."""
    choices = [_fitting(label, choice.labels, drawing) for label in choice.labels]
    if len(choice.labels) == _MIN_LABELS:
        place = stream.randrange(_MIN_LABELS)
        order = [1 - place] * _MIN_LABELS
        return (choice.labels, order) if choices[place] else None
    if not all(choices):
        return None
    order = [stream.choice(fitting) for fitting in choices]
    before = sorted(label.text for label in choice.labels)
    return None if sorted(choice.labels[index].text for index in order) == before else (choice.labels, order)


def _derange_all(choice: LabelChoice, drawing: Drawing, stream: random.Random) -> _Plan | None:
    labels = choice.labels
    order = _derange(labels, drawing, stream)
    if order is None:  # too many of them say the same: one of each may do
        unique = list({label.text: label for label in labels}.values())
        if len(unique) < max(_MIN_LABELS, _UNIQUE_SHARE * len(labels)):
            return None
        labels, order = unique, _derange(unique, drawing, stream)
    return None if order is None else (labels, order)


def _derange(labels: list[Lettering], drawing: Drawing, stream: random.Random) -> list[int] | None:
    """order[i]: which label comes to the place of label i; never one that says the same."""
    choices = [_fitting(label, labels, drawing) for label in labels]
    for fitting in choices:
        stream.shuffle(fitting)
    taken: dict[int, int] = {}
    if not all(_assign(place, choices, taken, set()) for place in range(len(labels))):
        return None
    places = {place: index for index, place in taken.items()}
    return [places[place] for place in range(len(labels))]


def _fitting(label: Lettering, labels: list[Lettering], drawing: Drawing) -> list[int]:
    return [
        index
        for index, other in enumerate(labels)
        if other.text != label.text and _has_room(label.box, other.box, drawing)
    ]


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
    moved = [(place, index) for place, index in enumerate(order) if place != index]
    for place, _ in moved:
        result[labels[place].box.grown(1, result).window] = _local_paper(labels[place].box, drawing)
    for place, index in moved:
        source = labels[index].box.grown(1, result)
        target = _centred(labels[place].box, source)
        shade = drawing.pixels[source.window].astype(np.int16) - _local_paper(labels[index].box, drawing)
        result[target.window] = np.clip(_local_paper(labels[place].box, drawing) + shade, 0, 255).astype(np.uint8)
    return result


def _local_paper(box: Box, drawing: Drawing) -> NDArray[np.int16]:
    around = box.grown(2, drawing.pixels).window
    clear = drawing.pixels[around][~drawing.ink[around]]
    return drawing.paper if clear.size == 0 else np.median(clear, axis=0).astype(np.int16)
