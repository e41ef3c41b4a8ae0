"""What is wrong with a file or a setting, in words, out of pydantic's error. Its own text repeats all that was given,
which may hold a key or a password in the wrong place: nothing of it goes on, neither its words nor as the cause."""

from collections.abc import Sequence

from pydantic import ValidationError

_SECRET_PLACES = frozenset({"base_url", "key_variable", "api_key_variable", "label_studio_url", "label_studio_link"})
_UNTOLD = frozenset({"missing", "extra_forbidden"})
_KEY = "[key]"  # how pydantic marks that the key is to blame, whose name stands before it
_MOST_SEEN = 80


def first_fault(error: ValidationError, whole: str = "the file") -> str:
    """The key, the reason and the value seen; `whole` where no key is to blame. A key that is not known goes first: it
    is often the missing one, misspelt."""
    faults = sorted(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    first = faults[0]
    key = ".".join(str(part) for part in first["loc"] if part != _KEY) or whole
    told = _SECRET_PLACES.isdisjoint(str(part) for part in first["loc"]) and first["type"] not in _UNTOLD
    seen = f" (seen: {str(first['input'])[:_MOST_SEEN]!r})" if told and _is_plain(first["input"]) else ""
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    text = f"`{key}`: {first['msg'].removeprefix('Value error, ')}{seen}{more}"
    return text.encode(errors="backslashreplace").decode()  # half a surrogate cannot be told


def _is_plain(value: object) -> bool:
    """A value, or a list of them; a mapping may hold what is not to blame."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(isinstance(item, str | int | float) for item in value)
    return value in (None, {}) or isinstance(value, str | int | float)
