"""Picture tokens of all sources in the one spelling of `core.image_tokens`, numbered by the pictures that a sample
really carries. The number in a token selects the column, never its position (MMMU issue 70)."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from core.image_tokens import token
from sources.base import QuarantineReason
from sources.rows import PictureCell, UnusableRowError

_ANY_TOKEN = re.compile(r"<(?:image|img)([ _]?)(\d{1,6})>", re.IGNORECASE)
_REPEATED = re.compile(r"(<image \d+>)(?:\s*\1)+")


class Attached(NamedTuple):
    """Texts and options with canonical tokens, the pictures they name in that order, and the numbers of the columns
    whose pictures nothing in the question needs."""

    texts: tuple[str | None, ...]
    options: tuple[str, ...]
    pictures: tuple[PictureCell, ...]
    left_out: tuple[int, ...]


def numbers_named(*texts: str | None) -> list[int]:
    """The numbers of tokens in any spelling, in order, repeats kept."""
    return [int(match[2]) for text in texts if text for match in _ANY_TOKEN.finditer(text)]


def attach(
    texts: tuple[str | None, ...],
    options: tuple[str, ...],
    columns: Mapping[int, PictureCell | None],
    explanation: str | None = None,
) -> Attached:
    """Attaches the pictures that texts or options name, in the order of their columns, and renumbers the tokens.

    Where nothing is named all pictures are attached but those that only the explanation names (MMMU issue 56)."""
    named = set(numbers_named(*texts, *options))
    _check_named(named, columns)
    present = {number for number, cell in columns.items() if cell is not None}
    chosen = sorted(named or present - set(numbers_named(explanation)))
    new_numbers = {number: position for position, number in enumerate(chosen, 1)}
    return Attached(
        tuple(_renumber(text, new_numbers) for text in texts),
        tuple(_renumber(option, new_numbers) or "" for option in options),
        tuple(cell for number in chosen if (cell := columns[number]) is not None),
        tuple(sorted(present.difference(chosen))),
    )


def in_order_of_appearance(texts: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """`<img_2694>` names a file: the first such token of a row means its first picture column, and so on."""
    numbers = {number: position for position, number in enumerate(dict.fromkeys(numbers_named(*texts)), 1)}
    return tuple(_rewrite(text, lambda number: token(numbers[number])) for text in texts)


def label_parts(
    texts: tuple[str | None, ...], options: tuple[str, ...]
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """For a row with one picture. One token number means that picture; several are its parts.

    MATH-Vision joins the pictures of a question to one and prints `<image1>:`, `<image2>:` … above the parts, so the
    text names a part by that label (`[image2]`), after one `<image 1>` for the picture itself. Pointing all tokens to
    `<image 1>` would make "from home <image2> to the ladybird <image3>" (row 33) an ambiguous question."""
    numbers = set(numbers_named(*texts, *options))
    if len(numbers) <= 1:
        return tuple(_rewrite(text, lambda _: token(1)) for text in texts), tuple(
            _rewrite(option, lambda _: token(1)) or "" for option in options
        )
    labelled = [_rewrite(text, lambda number: f"[image{number}]") for text in texts]
    first = next((index for index, text in enumerate(labelled) if text), 0)
    labelled[first] = f"{token(1)}\n{labelled[first] or ''}"
    return tuple(labelled), tuple(_rewrite(option, lambda number: f"[image{number}]") or "" for option in options)


def has_joined_spelling(*texts: str | None) -> bool:
    """Whether a token is spelled as in MATH-Vision, `<image2>`, with nothing before the number."""
    return any(not match[1] for text in texts if text for match in _ANY_TOKEN.finditer(text))


def is_only_token(text: str) -> bool:
    return _ANY_TOKEN.fullmatch(text.strip()) is not None


def _check_named(named: set[int], columns: Mapping[int, PictureCell | None]) -> None:
    for number in sorted(named):
        if number not in columns:
            raise UnusableRowError(QuarantineReason.TOKEN_WITHOUT_COLUMN, f"{token(number)} names no column")
        if columns[number] is None:
            raise UnusableRowError(QuarantineReason.PICTURE_MISSING, f"{token(number)} is named and not there")


def _renumber(text: str | None, numbers: Mapping[int, int]) -> str | None:
    return _rewrite(text, lambda number: token(numbers[number]))


def _rewrite(text: str | None, spell: Callable[[int], str]) -> str | None:
    if text is None:
        return None
    return _REPEATED.sub(r"\1", _ANY_TOKEN.sub(lambda match: spell(int(match[2])), text))
