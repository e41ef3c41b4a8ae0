"""One row of a data set before it is understood, whatever it was opened from. Values are read through checks, so that
a row of the wrong shape is a reason and never an exception that ends the source."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.whole_texts import is_text
from sources.base import QuarantineReason

MAX_CHARACTERS = 40_000
MAX_ITEMS = 1_000


class UnusableRowError(Exception):
    """Why a row cannot be used. It is raised below `read` only, which turns it into a Quarantined."""

    def __init__(self, reason: QuarantineReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class PictureCell(NamedTuple):
    """What a data set holds for one picture: the bytes, or the path of a file below the folder of the data set."""

    data: bytes | None
    path: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """`place` names the row where it has no id of its own (`records.jsonl:3`). `folder`: where its picture paths begin.
    `broken`: why the line could not be read at all. `pictures_lost`: the real row has pictures, this copy has not."""

    values: object
    config: str
    split: str
    place: str
    folder: Path | None = None
    broken: str | None = None
    pictures_lost: bool = False

    @property
    def fields(self) -> Mapping[str, object]:
        if self.broken is not None:
            raise UnusableRowError(QuarantineReason.MALFORMED_ROW, self.broken)
        if not isinstance(self.values, dict):
            raise UnusableRowError(
                QuarantineReason.MALFORMED_ROW, f"the row is {type(self.values).__name__}, not an object"
            )
        return self.values

    def value(self, column: str) -> object:
        """The value of a column that the row must have; `metadata.source` reads inside a struct."""
        found: object = self.fields
        for name in column.split("."):
            if not isinstance(found, Mapping) or name not in found:
                raise UnusableRowError(QuarantineReason.MALFORMED_ROW, f"no column `{column}`")
            found = found[name]
        return found

    def text(self, column: str) -> str:
        value = self.value(column)
        if not isinstance(value, str):
            raise _wrong(column, value, "text")
        return value

    def optional_text(self, column: str) -> str | None:
        value = self.value(column)
        return None if value is None else self.text(column)

    def texts(self, column: str) -> tuple[str, ...]:
        """A list of text; null counts as empty."""
        value = self.value(column)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise _wrong(column, value, "a list of text")
        return tuple(value)

    def identifier(self, column: str) -> str:
        """The row's own id, or its place where it has none."""
        values = self.values
        found = values.get(column) if isinstance(values, dict) else None
        if isinstance(found, str) and found.strip():
            return found.strip()
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
        return f"{self.config}:{self.place}"

    def picture(self, column: str) -> PictureCell | None:
        """None where the row has no picture there."""
        return as_picture_cell(self.value(column), column)

    def numbered_pictures(self, prefix: str) -> dict[int, PictureCell | None]:
        """The columns `image_1`, `image_2`, … by their number."""
        numbers = {
            int(name.removeprefix(prefix)): name
            for name in self.fields
            if name.startswith(prefix) and name.removeprefix(prefix).isdecimal()
        }
        return {number: self.picture(name) for number, name in sorted(numbers.items())}


def as_picture_cell(value: object, column: str) -> PictureCell | None:
    match value:
        case None | "":
            return None
        case bytes():
            return PictureCell(value, None)
        case str():
            return PictureCell(None, value)
        case {"bytes": bytes() | None as data, **rest}:
            path = rest.get("path")
            if data is None and path is None:
                return None
            return PictureCell(data, path if isinstance(path, str) else None)
        case _:
            raise _wrong(column, value, "a picture")


def _wrong(column: str, value: object, wanted: str) -> UnusableRowError:
    seen = "null" if value is None else f"{type(value).__name__} {str(value)[:60]!r}"
    return UnusableRowError(QuarantineReason.MALFORMED_ROW, f"`{column}` is {seen}, not {wanted}")


def require_storable(value: object) -> None:
    """That every text in a row is text and of a length that people ask questions in, and every list as well.

    Raises UnusableRowError."""
    match value:
        case str():
            if len(value) > MAX_CHARACTERS:
                raise UnusableRowError(
                    QuarantineReason.TEXT_TOO_LONG, f"{len(value)} characters, above {MAX_CHARACTERS}"
                )
            if not is_text(value):
                raise UnusableRowError(QuarantineReason.MALFORMED_ROW, "half of a surrogate pair stands in a text")
        case list() | tuple():
            if len(value) > MAX_ITEMS:
                raise UnusableRowError(QuarantineReason.MALFORMED_ROW, f"a list of {len(value)}, above {MAX_ITEMS}")
            for item in value:
                require_storable(item)
        case dict():
            for item in value.values():
                require_storable(item)
        case _:
            return
