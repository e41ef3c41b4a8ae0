import json
from typing import Literal

import pytest
from pydantic import Field

from core.records import Record
from models.providers.schemas import bare_schema, plain_schema, strict_schema, with_schema


class Edit(Record):
    before: str = Field(min_length=1, max_length=200)
    share: float = Field(default=0.5, ge=0, le=1)


class Reply(Record):
    """A nested reply, whose property names are the names of keywords."""

    title: str = ""
    default: int | None = None
    verdict: Literal["yes", "no"]
    edits: tuple[Edit, ...] = Field(min_length=1, max_length=3)
    best: Edit = Field(description="The edit that matters most.")


SCHEMA = json.dumps(Reply.model_json_schema())


def keys_in(value: object) -> set[str]:
    if isinstance(value, list):
        return set().union(*(keys_in(item) for item in value))
    return set(value).union(*(keys_in(item) for item in value.values())) if isinstance(value, dict) else set()


@pytest.mark.parametrize("lengths", [True, False])
def test_every_object_of_a_strict_schema_is_closed(lengths: bool) -> None:
    schema = strict_schema(SCHEMA, lengths)
    inner = schema["$defs"]["Edit"]
    assert schema["required"] == ["title", "default", "verdict", "edits", "best"]
    assert inner["required"] == ["before", "share"]
    assert schema["additionalProperties"] is inner["additionalProperties"] is False


def test_properties_named_like_keywords_stay() -> None:
    assert {"title", "default"} <= set(strict_schema(SCHEMA, False)["properties"])


def test_a_strict_schema_keeps_bounds_and_lengths_only_where_they_are_taken() -> None:
    assert {"minimum", "maximum", "minItems", "maxItems"} <= keys_in(strict_schema(SCHEMA, False))
    assert not {"minLength", "maxLength"} & keys_in(strict_schema(SCHEMA, False))
    assert {"minLength", "maxLength"} <= keys_in(strict_schema(SCHEMA, True))


def test_a_bare_schema_has_no_bounds_at_all() -> None:
    bounds = {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
    assert bounds <= keys_in(json.loads(SCHEMA))
    assert not bounds & keys_in(bare_schema(SCHEMA))


def test_a_plain_schema_leaves_what_is_required_as_it_is() -> None:
    assert plain_schema(SCHEMA)["required"] == ["verdict", "edits", "best"]


def test_nothing_stands_beside_a_reference() -> None:
    assert json.loads(SCHEMA)["properties"]["best"].keys() == {"$ref", "description"}
    assert strict_schema(SCHEMA, False)["properties"]["best"] == {"$ref": "#/$defs/Edit"}


def test_one_of_several_is_any_of_them() -> None:
    schema = json.dumps({"oneOf": [{"type": "string"}, {"type": "null"}], "discriminator": {"propertyName": "x"}})
    assert strict_schema(schema, True) == {"anyOf": [{"type": "string"}, {"type": "null"}]}


def test_enums_keep_their_values_whatever_they_are() -> None:
    schema = json.dumps({"type": "object", "properties": {"a": {"enum": ["title", {"default": 1}]}}})
    assert strict_schema(schema, True)["properties"] == {"a": {"enum": ["title", {"default": 1}]}}


def test_a_prompt_without_system_text_is_the_instruction_alone() -> None:
    assert with_schema("", "{}").endswith("\n{}")
    assert with_schema("Be exact.", "{}") == "Be exact.\n\n" + with_schema("", "{}")
