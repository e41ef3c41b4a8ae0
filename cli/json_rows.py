"""Answers of the database as JSON that every program reads: no column lost, no number that JSON does not have."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence


def json_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A list of objects. A column whose name was there before gets its number: `a`, `a_2`."""
    names = _without_doubles(columns)
    found = [{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in rows]
    return json.dumps(found, default=str, ensure_ascii=False, allow_nan=False)


def _without_doubles(columns: Sequence[str]) -> list[str]:
    names: list[str] = []
    for column in columns:
        number, name = 1, column
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def _plain(value: object) -> object:
    match value:
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            return value
