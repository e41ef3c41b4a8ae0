"""Schemas of replies as the providers take them: each accepts a dialect of its own, and refuses the whole request for a
keyword that it does not know."""

import json
from collections.abc import Callable
from functools import lru_cache

Schema = dict[str, object]

_INSTRUCTION = "Reply with one JSON object that fits this JSON schema, and with nothing else:\n"
_NOTES = frozenset({"title", "default", "examples", "discriminator"})
_LENGTHS = frozenset({"minLength", "maxLength"})
_BOUNDS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "pattern"}
)


@lru_cache(maxsize=256)
def strict_schema(schema: str, lengths: bool) -> Schema:
    """For constrained decoding: every property required, none besides them, `anyOf` for `oneOf`, no defaults. `lengths`
    keeps the limits of strings, which OpenAI refuses and local servers need, since small models write on for ever."""
    dropped = _NOTES if lengths else _NOTES | _LENGTHS
    return _as_schema(_map(json.loads(schema), dropped, _close))


@lru_cache(maxsize=256)
def bare_schema(schema: str) -> Schema:
    """For Anthropic, which takes neither limits of strings nor bounds of numbers and lists."""
    return _as_schema(_map(json.loads(schema), _NOTES | _LENGTHS | _BOUNDS, _close))


@lru_cache(maxsize=256)
def plain_schema(schema: str) -> Schema:
    """For Gemini, which takes JSON schema as it is but for a few notes."""
    return _as_schema(_map(json.loads(schema), _NOTES, lambda found: found))


def with_schema(system: str, schema: str) -> str:
    """The system text for a server that does not hold the model to a schema."""
    return f"{system}\n\n{_INSTRUCTION}{schema}" if system else _INSTRUCTION + schema


def _map(value: object, dropped: frozenset[str], close: Callable[[Schema], Schema]) -> object:
    """Every schema inside a schema changed; the names of properties are names and no keywords."""
    if isinstance(value, list):
        return [_map(item, dropped, close) for item in value]
    if not isinstance(value, dict):
        return value
    changed: Schema = {}
    for name, item in value.items():
        if name in ("properties", "$defs"):
            changed[name] = {key: _map(inner, dropped, close) for key, inner in item.items()}
        elif name in ("enum", "const", "required"):
            changed[name] = item
        elif name not in dropped:
            changed["anyOf" if name == "oneOf" else name] = _map(item, dropped, close)
    return close(changed)


def _close(schema: Schema) -> Schema:
    """A reference stands alone: OpenAI refuses anything beside it."""
    if "$ref" in schema and "$defs" not in schema:
        return {"$ref": schema["$ref"]}
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return schema
    return {**schema, "required": [str(name) for name in properties], "additionalProperties": False}


def _as_schema(value: object) -> Schema:
    if not isinstance(value, dict):
        raise ValueError(f"a schema is an object, not {type(value).__name__}")
    return {str(name): item for name, item in value.items()}
