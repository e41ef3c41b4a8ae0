"""Reading of stored bodies: only the fields that are used, everything else let pass, since servers that call themselves
compatible add, leave out and mistype fields that do not matter."""

import json
from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, WrapValidator
from pydantic.alias_generators import to_camel

from models.base import Usage

_MOST_TOKENS = 10**9
_NO_COUNT = -1
Body = TypeVar("Body", bound=BaseModel)
Part = TypeVar("Part", bound=BaseModel)


class Wire(BaseModel):
    """A part of a body whose keys are spelled as the fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CamelWire(BaseModel):
    """A part of a body whose keys are spelled in camel case."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


def _count(value: object) -> int | None:
    return value if value is None or (type(value) is int and 0 <= value <= _MOST_TOKENS) else _NO_COUNT


def _part_or_none(value: object, read: Callable[[object], Part | None]) -> Part | None:
    try:
        return read(value)
    except ValidationError:
        return None


Count = Annotated[int | None, BeforeValidator(_count)]
"""A number of tokens; what is given and can be none is -1 until `make_usage`."""
Told = Annotated[Part | None, WrapValidator(_part_or_none)]
"""A part that tells of tokens: one of another shape tells nothing, and the reply is no worse for it."""


def read_body(body: str, model: type[Body]) -> Body:
    """Raises ValueError for a body that is none of this kind. Halves of surrogate pairs, which no table and no file can
    hold, become question marks."""
    try:
        return model.model_validate_json(body)
    except ValidationError:
        if "\\ud" not in body and "\\uD" not in body:
            raise
        return model.model_validate_json(_without_halves(body))


def _without_halves(body: str) -> bytes:
    try:
        whole = json.dumps(json.loads(body), ensure_ascii=False)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return whole.encode(errors="replace")


def add_counts(*counts: int | None) -> int | None:
    """The sum of those given, None where none is. With what is no count there is no sum."""
    given = [count for count in counts if count is not None]
    if _NO_COUNT in given:
        return _NO_COUNT
    return sum(given) if given else None


def make_usage(
    *,
    prompt: int | None,
    completion: int | None,
    reasoning: int | None = None,
    image: int | None = None,
    cached: int | None = None,
) -> Usage:
    told = {"prompt": prompt, "completion": completion, "reasoning": reasoning, "image": image, "cached": cached}
    counts = {name: count for name, count in told.items() if count != _NO_COUNT}
    return Usage(**counts, doubtful=len(counts) < len(told))
