"""A server that repeats the key it was sent, as routers do that show what they received: whole in errors and in a field
that nobody asked for, most of it in what the model says and is called."""

import json
from typing import Any

_SAID = frozenset({"content", "text"})
_CALLED = frozenset({"model", "modelVersion", "message", "responseId"})


def echo_key(body: dict[str, Any] | bytes, key: str) -> dict[str, Any] | bytes:
    """Of a file of rows, in each of them."""
    if isinstance(body, bytes):
        rows = [json.loads(line) for line in body.splitlines()]
        return b"\n".join(json.dumps(_echo(row, key)).encode() for row in rows)
    return {**{name: _change(name, value, key) for name, value in body.items()}, "received_key": key}


def _echo(value: object, key: str) -> object:
    if isinstance(value, list):
        return [_echo(item, key) for item in value]
    if isinstance(value, dict):
        return {name: _change(str(name), item, key) for name, item in value.items()}
    return value


def _change(name: str, value: object, key: str) -> object:
    part = key[len(key) // 4 :]
    if isinstance(value, str) and value and name in _SAID:
        return _say(value, part)
    if isinstance(value, str) and name in _CALLED:
        return f"{value} {key if name == 'message' else part}"
    return _echo(value, key)


def _say(text: str, part: str) -> str:
    """Inside a reply in JSON, in its first text."""
    try:
        said = json.loads(text)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        return f"I was sent {part}.\n{text}"
    first = next((name for name, item in said.items() if isinstance(item, str)), None)
    return json.dumps({**said, first: f"{said[first]} {part}"} if first else said)
