"""Items of a JSON array one at a time: the files of Visual Genome hold up to 800 MB in one array, which as Python
objects take several times as much memory."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from core.errors import SourceError
from core.json_objects import refuse_double_keys

_CHUNK = 1 << 20
_BLANKS = re.compile(r"[ \t\n\r]*")


def read_array(path: Path) -> Iterator[object]:
    """Raises SourceError when the file cannot be read, is no JSON array, is cut short, goes on behind its array, or
    has an object with a key twice."""
    try:
        with path.open(encoding="utf-8-sig") as stream:
            yield from _items(_Reading(stream))
    except (OSError, ValueError, RecursionError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        raise SourceError(
            f"{path} is no whole JSON array: {error}.", "Download the file again, or take it out of the folder."
        ) from error


def _items(reading: "_Reading") -> Iterator[object]:
    if reading.sign() != "[":
        raise ValueError("it does not begin with `[`")
    sign = reading.step()
    while sign != "]":
        yield reading.item()
        sign = reading.sign()
        if sign == "," and reading.step() == "]":
            raise ValueError(f"there is no item behind the last comma, before character {reading.position}")
    if reading.step():
        raise ValueError(f"there is more behind its `]`, from character {reading.position}")


class _Reading:
    """The part of the file in memory, and how far it is understood."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._decoder = json.JSONDecoder(object_pairs_hook=refuse_double_keys)
        self._text, self._place, self._passed = "", 0, 0

    @property
    def position(self) -> int:
        """Of the next character in the file, the first one being 1."""
        return self._passed + self._place + 1

    def sign(self) -> str:
        """The next character that is no blank; empty at the end of the file."""
        while True:
            self._place = _after_blanks(self._text, self._place)
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._read_more():
                return ""

    def step(self) -> str:
        """The sign behind this one."""
        self._place += 1
        return self.sign()

    def item(self) -> object:
        """With a comma or the end of the array behind it: where the text in memory ends, half a number is one too."""
        while True:
            try:
                item, end = self._decoder.raw_decode(self._text, self._place)
                after = _after_blanks(self._text, end)
                if self._text[after : after + 1] in (",", "]"):
                    self._place = end
                    return item
                fault, at = "neither a comma nor `]` follows", after
            except json.JSONDecodeError as error:
                fault, at = error.msg, error.pos
            at += self._passed + 1
            if not self._read_more():
                raise ValueError(f"{fault} (character {at})")

    def _read_more(self) -> bool:
        more = self._stream.read(max(_CHUNK, len(self._text)))
        self._passed += self._place
        self._text, self._place = self._text[self._place :] + more, 0
        return bool(more)


def _after_blanks(text: str, place: int) -> int:
    match = _BLANKS.match(text, place)
    return match.end() if match else place
