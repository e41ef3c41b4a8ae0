"""Anthropic's messages: https://platform.claude.com/docs/en/api/messages."""

import json
from typing import Any

from models.fault_server.question import BadRequestError, Question, Said

_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    503: "overloaded_error",
}


def read_messages(_: str, body: dict[str, Any]) -> Question:
    """A schema is that of `output_config`, or of the one tool that has to be used. Raises BadRequestError."""
    try:
        users = [message for message in body["messages"] if message["role"] == "user"]
        tool = _forced_tool(body)
        asked = (body.get("output_config") or {}).get("format") or {}
        first = _blocks(users[0]["content"])
        return Question(
            model=body["model"],
            system="\n".join(_texts(_blocks(body.get("system") or ""))),
            texts=_texts(first),
            pictures=tuple(block["source"]["data"] for block in first if block["type"] == "image"),
            later=tuple(text for user in users[1:] for text in _texts(_blocks(user["content"]))),
            turns=sum(message["role"] == "assistant" for message in body["messages"]),
            schema=tool["input_schema"] if tool else asked.get("schema"),
            reasons=(body.get("thinking") or {}).get("type") in ("enabled", "adaptive"),
            max_tokens=body["max_tokens"],
            tool=tool["name"] if tool else None,
        )
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise BadRequestError(f"no message: {error!r}") from error


def write_message(question: Question, said: Said, key: str, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{key}_{question.turns}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _content(question, said),
        "stop_reason": _stop_reason(question, said),
        "stop_sequence": None,
        "usage": {
            "input_tokens": question.prompt_tokens,
            "output_tokens": said.completion_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def write_message_error(status: int, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": _KINDS.get(status, "api_error"), "message": message}}


def _blocks(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _texts(blocks: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(block["text"] for block in blocks if block["type"] == "text" and block["text"])


def _forced_tool(body: dict[str, Any]) -> dict[str, Any] | None:
    name = (body.get("tool_choice") or {}).get("name")
    return next((tool for tool in body.get("tools") or () if tool["name"] == name), None)


def _content(question: Question, said: Said) -> list[dict[str, Any]]:
    if said.refused or not said.text:
        return []
    if question.tool and not said.truncated:
        try:
            return [{"type": "tool_use", "id": "toolu_0", "name": question.tool, "input": json.loads(said.text)}]
        except json.JSONDecodeError:
            return [{"type": "text", "text": said.text}]
    return [{"type": "text", "text": said.text}]


def _stop_reason(question: Question, said: Said) -> str:
    if said.refused:
        return "refusal"
    if said.truncated:
        return "max_tokens"
    return "tool_use" if question.tool and said.text.startswith("{") else "end_turn"
