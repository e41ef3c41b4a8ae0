"""Reading of stored bodies: only the fields that are used, everything else let pass, since servers that call themselves
compatible add, leave out and mistype fields that do not matter."""

import json
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

_MOST_TOKENS = 10**9
Body = TypeVar("Body", bound=BaseModel)


class Wire(BaseModel):
    """A part of a body whose keys are spelled as the fields."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class CamelWire(BaseModel):
    """A part of a body whose keys are spelled in camel case."""

    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


Count = Annotated[int | None, BeforeValidator(_count)]
"""A number of tokens; what is no count is not given."""


def read_body(body: str, model: type[Body]) -> Body:
    """Raises ValueError for a body that is none of this kind. Halves of surrogate pairs, which no table and no file can
    hold, become question marks."""
    try:
        return model.model_validate_json(body)
    except ValidationError:
        if "\\ud" not in body and "\\uD" not in body:
            raise
        whole = json.dumps(json.loads(body), ensure_ascii=False)
        return model.model_validate_json(whole.encode(errors="replace"))


def add_counts(*counts: int | None) -> int | None:
    """The sum of those given, None where none is."""
    given = [count for count in counts if count is not None]
    return sum(given) if given else None
