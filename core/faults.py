"""What is wrong with a file or a setting, in words, out of pydantic's error. Its own text repeats all that was given,
which may hold a key or a password in the wrong place: nothing of it goes on, neither its words nor as the cause."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_SECRET_PLACES = frozenset({"base_url", "key_variable", "api_key_variable", "label_studio_url", "label_studio_link"})
_UNKNOWN = "extra_forbidden"
_UNTOLD = frozenset({"missing", _UNKNOWN})
_KEY = "[key]"  # how pydantic marks that the key is to blame, whose name stands before it
_MOST_SEEN, _MOST_NAMED = 80, 3


def tell_faults(error: ValidationError, of: type[BaseModel] | None = None, whole: str = "the file") -> str:
    """The first key to blame, the reason and the value seen, then the names of up to three others; `whole` where no key
    is to blame. A key that is not known goes first: it is often the missing one, misspelt, and the nearest key of the
    model `of` is told with it."""
    faults = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != _UNKNOWN)
    first = faults[0]
    reason = _tell_unknown(first, of) if first["type"] == _UNKNOWN else first["msg"].removeprefix("Value error, ")
    keys = list(dict.fromkeys(_key(fault, whole) for fault in faults))
    others = [f"`{key}`" for key in keys[1 : _MOST_NAMED + 1]]
    if len(keys) - 1 > _MOST_NAMED:
        others.append(f"{len(keys) - 1 - _MOST_NAMED} more")
    also = f"; to blame as well: {', '.join(others)}" if others else ""
    return f"`{keys[0]}`: {reason}{_seen(first)}{also}".encode(errors="backslashreplace").decode()  # half surrogates


def _key(fault: ErrorDetails, whole: str) -> str:
    """An address that stands where a key should be may hold a password."""
    parts = [str(part) for part in fault["loc"] if part != _KEY]
    return ".".join("..." if "://" in part or "@" in part else part for part in parts) or whole


def _tell_unknown(fault: ErrorDetails, of: type[BaseModel] | None) -> str:
    near = get_close_matches(str(fault["loc"][-1]), _keys_of(of), n=1) if of else []
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
