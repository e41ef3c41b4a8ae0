"""The pictures of an item, each in HTML of its own: with S3 the server resolves one address in a text and no second."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from annotation.screen.escaping import escape
from core.records import FlawedSample, Picture, PictureAddition, Sample

PictureUrl = Callable[[Picture], str]

_SIZES = {1: "big", 2: "half"}
"""One or two pictures stand beside the text and more below it."""


class _State(StrEnum):
    UNCHANGED = "unchanged"
    MODIFIED = "modified"
    ADDED = "added"
    REMOVED = "removed_picture"


@dataclass(frozen=True, slots=True)
class _Shot:
    """`original` is what the picture was made from, None where it is the same."""

    number: int
    state: _State
    shown: Picture
    original: Picture | None = None


def show_pictures(
    candidate: FlawedSample, parent: Sample, url: PictureUrl, words: dict[str, str]
) -> list[dict[str, str]]:
    """`now` and `was`, which is empty where a picture has not changed."""
    shots = _pair(candidate, parent)
    size = _SIZES.get(len(shots), "small")
    return [
        {
            "now": _figure(shot.shown, _caption(shot, words), f"{size} {shot.state}", url),
            "was": _figure(shot.original, _flipped(shot, words), f"{size} was", url) if shot.original else "",
        }
        for shot in shots
    ]


def _pair(candidate: FlawedSample, parent: Sample) -> list[_Shot]:
    """The pictures of the modified question in its order, then those of the original that it has no more."""
    additions = {
        edit.index: edit.of for flaw in candidate.flaws for edit in flaw.edits if isinstance(edit, PictureAddition)
    }
    sources = list(parent.pictures)
    shots: list[_Shot] = []
    for index, picture in enumerate(candidate.pictures):
        if index in additions:
            shots.append(_Shot(index + 1, _State.ADDED, picture, candidate.pictures[additions[index]]))
            continue
        source = sources.pop(0) if sources else None
        if source == picture:
            shots.append(_Shot(index + 1, _State.UNCHANGED, picture))
        else:
            shots.append(_Shot(index + 1, _State.MODIFIED if source else _State.ADDED, picture, source))
    first = len(parent.pictures) - len(sources) + 1
    return shots + [_Shot(number, _State.REMOVED, picture) for number, picture in enumerate(sources, first)]


def _caption(shot: _Shot, words: dict[str, str]) -> str:
    flip = f" · {words['flip']}" if shot.original else ""
    return f"{words['picture']} {shot.number} · {words[shot.state]}{flip}"


def _flipped(shot: _Shot, words: dict[str, str]) -> str:
    return f"{words['picture']} {shot.number} · {words['original']} · {words['flip']}"


def _figure(picture: Picture, caption: str, kind: str, url: PictureUrl) -> str:
    source = escape(url(picture))
    return (
        f'<figure class="{kind}" tabindex="-1"><figcaption>{escape(caption)}</figcaption>'
        f'<img src="{source}" alt="{escape(caption)}" width="{picture.width}" height="{picture.height}"></figure>'
    )
