"""The smallest value that a JSON schema allows, for fakes that know nothing but the shape of a reply."""

import math
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

WORD = "scripted"
_DEPTH = 12


def fill_schema(schema: Mapping[str, Any]) -> JsonValue:
    """A value that the schema allows, in JSON's types; every property is filled. Reads JSON Schema as Pydantic writes
    it and Gemini's own form (types in capitals). `pattern` and `format` are not kept to.

    Raises ValueError for a schema that has to hold itself without end."""
    return _fill(schema, schema, _DEPTH)


def _fill(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> JsonValue:
    if not depth:
        raise ValueError("the schema holds itself without end")
    if "$ref" in schema:
        return _fill(_look_up(schema["$ref"], root), root, depth - 1)
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    if "allOf" in schema:
        merged = {key: value for part in schema["allOf"] for key, value in part.items()}
        return _fill({**merged, **_without(schema, "allOf")}, root, depth - 1)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _fill(_simplest(schema[key], deep=depth < _DEPTH // 2), root, depth - 1)
    return _fill_type(schema, root, depth)


def _fill_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> JsonValue:
    match _type_of(schema):
        case "object":
            names = schema.get("properties", {})
            return {name: _fill(part, root, depth - 1) for name, part in names.items()}
        case "array":
            return _fill_array(schema, root, depth)
        case "string":
            return _fill_string(schema)
        case "integer":
            return math.ceil(_lowest(schema))
        case "number":
            return _lowest(schema)
        case "boolean":
            return True
        case _:
            return None


def _fill_array(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> list[JsonValue]:
    first = [_fill(part, root, depth - 1) for part in schema.get("prefixItems", ())]
    missing = int(schema.get("minItems", 0)) - len(first)
    if missing <= 0:
        return first
    return first + [_fill(schema["items"], root, depth - 1)] * missing


def _fill_string(schema: Mapping[str, Any]) -> str:
    shortest, longest = int(schema.get("minLength", 0)), schema.get("maxLength")
    text = WORD * max(1, math.ceil(shortest / len(WORD)))
    return text[:longest] if longest is None else text[: int(longest)]


def _lowest(schema: Mapping[str, Any]) -> float:
    """The smallest number from 0 up that the bounds and the step allow, or the highest below 0."""
    step = schema.get("multipleOf", 1 if _type_of(schema) == "integer" else 0.5)
    low = max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf))
    high = min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf))
    value = 0.0
    if low > 0 or value == schema.get("exclusiveMinimum"):
        value = math.ceil(low / step) * step
        value += step if value == schema.get("exclusiveMinimum") else 0
    elif high < 0 or value == schema.get("exclusiveMaximum"):
        value = math.floor(high / step) * step
        value -= step if value == schema.get("exclusiveMaximum") else 0
    return value


def _simplest(choices: list[Mapping[str, Any]], deep: bool) -> Mapping[str, Any]:
    """Text where text will do, else the first that is not null: an absent value tells a test nothing. Far inside, null
    ends a schema that holds itself."""
    absent = [choice for choice in choices if _type_of(choice) == "null"]
    if deep and absent:
        return absent[0]
    real = [choice for choice in choices if choice not in absent]
    texts = [choice for choice in real if _type_of(choice) == "string" and "enum" not in choice]
    return (texts or real or choices)[0]


def _type_of(schema: Mapping[str, Any]) -> str | None:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind is None and "properties" in schema:
        return "object"
    return kind.lower() if kind else None


def _look_up(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}
