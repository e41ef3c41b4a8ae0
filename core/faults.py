"""What is wrong with a file or a setting, in words, out of pydantic's error. Its own text repeats all that was given,
which may hold a key or a password in the wrong place: nothing of it goes on, neither its words nor as the cause."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_SECRET_PLACES = frozenset({"base_url", "key_variable", "api_key_variable", "label_studio_url", "label_studio_link"})
_UNKNOWN = "extra_forbidden"
_UNTOLD = frozenset({"missing", _UNKNOWN})
_KEY = "[key]"  # how pydantic marks that the key is to blame, whose name stands before it
_MOST_SEEN, _MOST_NAMED = 80, 3
_LONGEST_KEY, _MOST_DIGITS = 40, 3
_ADDRESS = re.compile(r"://|@")
_HIDDEN = "(not shown, it may be secret)"
_MEANT = {"api_key": "key_variable"}


def tell_faults(error: ValidationError, of: type[BaseModel] | None = None, whole: str = "the file") -> str:
    """The first key to blame, the reason and the value seen, then the names of up to three others; `whole` where no key
    is to blame. A key that is not known goes first: it is often the missing one, misspelt, and the nearest key of the
    model `of` is told with it."""
    faults = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != _UNKNOWN)
    first = faults[0]
    said = first["msg"].removeprefix("Value error, ").replace("a valid tuple", "a list")
    reason = _tell_unknown(first, of) if first["type"] == _UNKNOWN else said
    others = _without_outer(dict.fromkeys(_key(fault, whole) for fault in faults), _key(first, whole))
    named = [f"`{key}`" for key in others[:_MOST_NAMED]]
    if len(others) > _MOST_NAMED:
        named.append(f"{len(others) - _MOST_NAMED} more")
    also = f"; to blame as well: {', '.join(named)}" if named else ""
    text = f"`{_key(first, whole)}`: {reason}{_seen(first)}{also}"
    return text.encode(errors="backslashreplace").decode()  # half a surrogate cannot be told


def _without_outer(keys: Iterable[str], first: str) -> list[str]:
    """All but the first, and those inside of which another stands: one wrong value is a fault of both."""
    found = list(keys)
    return [key for key in found if key != first and not any(other.startswith(f"{key}.") for other in found)]


def _key(fault: ErrorDetails, whole: str) -> str:
    parts = [str(part) for part in fault["loc"] if part != _KEY]
    if fault["type"] == _UNKNOWN and not _looks_like_key(parts[-1]):
        parts[-1] = _HIDDEN
    return ".".join(_HIDDEN if _ADDRESS.search(part) else part for part in parts) or whole


def _looks_like_key(text: str) -> bool:
    """Else somebody may have written an address or a key of a provider in the wrong place."""
    return len(text) <= _LONGEST_KEY and sum(letter.isdigit() for letter in text) <= _MOST_DIGITS


def _tell_unknown(fault: ErrorDetails, of: type[BaseModel] | None) -> str:
    written = str(fault["loc"][-1])
    near = [_MEANT[written]] if written in _MEANT else get_close_matches(written, _keys_of(of), n=1) if of else []
    return f"no such key; did you mean `{near[0]}`?" if near else "no such key"


def _keys_of(model: type[BaseModel]) -> list[str]:
    """Of the whole file, not of one place in it alone: a key may stand one level too high."""
    schema = model.model_json_schema()
    parts = [schema, *cast("Mapping[str, Mapping[str, object]]", schema.get("$defs", {})).values()]
    return [key for part in parts for key in cast("Mapping[str, object]", part.get("properties", {}))]


def _seen(fault: ErrorDetails) -> str:
    told = _SECRET_PLACES.isdisjoint(str(part) for part in fault["loc"]) and fault["type"] not in _UNTOLD
    return f" (seen: {str(fault['input'])[:_MOST_SEEN]!r})" if told and _is_plain(fault["input"]) else ""


def _is_plain(value: object) -> bool:
    """A value, or a list of them; a mapping may hold what is not to blame."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(isinstance(item, str | int | float) for item in value)
    return value in (None, {}) or isinstance(value, str | int | float)
