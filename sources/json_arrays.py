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
_BETWEEN = re.compile(r"[\s,]*")


def read_array(path: Path, unique_keys: bool = False) -> Iterator[object]:
    """Raises SourceError when the file cannot be read, is no JSON array or is cut short; with `unique_keys` also where
    an object has a key twice."""
    try:
        with path.open(encoding="utf-8-sig") as stream:
            yield from _items(stream, json.JSONDecoder(object_pairs_hook=refuse_double_keys if unique_keys else None))
    except (OSError, ValueError) as error:  # JSONDecodeError and UnicodeDecodeError are ValueErrors
        raise SourceError(
            f"{path} is no whole JSON array: {error}.", "Download the file again, or take it out of the folder."
        ) from error


def _items(stream: TextIO, decoder: json.JSONDecoder) -> Iterator[object]:
    text = stream.read(_CHUNK).lstrip()
    if not text.startswith("["):
        raise ValueError("it does not begin with `[`")
    place = 1
    while True:
        place = _after_blanks(text, place)
        if text.startswith("]", place):
            return
        try:
            item, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError:
            more = stream.read(max(_CHUNK, len(text)))
            if not more:
                raise
            text, place = text[place:] + more, 0
            continue
        yield item


def _after_blanks(text: str, place: int) -> int:
    match = _BETWEEN.match(text, place)
    return match.end() if match else place
