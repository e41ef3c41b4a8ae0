"""Ids are hashes of content: the same content has the same id on every machine, and a value without a stable text form
raises instead of forking the hash silently."""

import hashlib
import json
import math
from collections.abc import Mapping
from enum import Enum

from pydantic import BaseModel

ID_HEX_DIGITS = 32
_STABLE_TYPES = (str, int, bool, type(None))


def canonical_json(value: object) -> str:
    """JSON with sorted keys, no blanks and no escapes: equal values give equal text.

    Raises TypeError for a value that has no stable form (a set, a path, a callable), ValueError for NaN or infinity."""
    return json.dumps(_stable(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def content_hash(value: object) -> str:
    """64 hex digits: SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def make_id(prefix: str, value: object) -> str:
    """An id such as `smp_0123…`: the prefix names the kind of record, 128 bits of the hash follow."""
    return f"{prefix}_{content_hash(value)[:ID_HEX_DIGITS]}"


def bytes_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _stable(value: object) -> object:
    if type(value) in _STABLE_TYPES:  # most values are: asked first, since each row of the lineage passes here
        return value
    match value:
        case Enum():
            return _stable(value.value)
        case int() | str():
            return value
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{value} has no canonical form: store None and the reason instead")
            return value
        case BaseModel():
            return {name: _stable(getattr(value, name)) for name in type(value).model_fields}
        case Mapping():
            return {_key(key): _stable(item) for key, item in value.items()}
        case list() | tuple():
            return [_stable(item) for item in value]
        case _:
            raise TypeError(
                f"{type(value).__name__} has no canonical form: convert it to text, numbers, lists or mappings"
            )


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is no text: JSON would change it silently")
    return key.value if isinstance(key, Enum) else key
