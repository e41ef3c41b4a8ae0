"""Anthropic's messages on the wire: a request into a body and a body into what it says, without the SDK, since stored
replies are read without any call."""

import json
from collections.abc import Mapping
from typing import Any

from core.calls import AnswerStatus
from models.base import Message, ModelRequest, Parsed, PicturePart, Usage
from models.providers.attachments import Attachment
from models.providers.bodies import Count, Told, Wire, add_counts, make_usage, read_body
from models.providers.schemas import bare_schema, with_schema

_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


def messages_body(request: ModelRequest, attachments: Mapping[str, Attachment]) -> bytes:
    """The JSON to post. A `json_object` without a schema is not to be had: the schema goes into the prompt then."""
    parameters, system, schema = request.parameters, request.system, request.reply_schema
    if schema is not None and request.structured != "json_schema":
        system = with_schema(system, schema)
    asked: dict[str, Any] = {
        "model": request.model,
        "max_tokens": parameters.max_tokens,
        "system": system or None,
        "messages": [_message(message, attachments) for message in request.messages],
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "thinking": _thinking(request),
        "output_config": _output(request) or None,
    }
    body = {name: value for name, value in asked.items() if value is not None}
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def parse_message(body: str) -> Parsed:
    """Raises ValueError for a body that is no message."""
    reply = read_body(body, _Reply)
    text = "".join(block.text for block in reply.content if block.type == "text")
    status, detail = _judge(reply.stop_reason, text)
    return Parsed(
        status=status,
        text=text,
        finish_reason=reply.stop_reason,
        usage=_usage(reply.usage),
        model_reported=reply.model,
        detail=detail,
    )


class _Block(Wire):
    type: str
    text: str = ""


class _OutputDetails(Wire):
    thinking_tokens: Count = None


class _Tokens(Wire):
    input_tokens: Count = None
    output_tokens: Count = None
    cache_read_input_tokens: Count = None
    cache_creation_input_tokens: Count = None
    output_tokens_details: Told[_OutputDetails] = None


class _Reply(Wire):
    content: tuple[_Block, ...]
    model: str | None = None
    stop_reason: str | None = None
    usage: Told[_Tokens] = None


def _message(message: Message, attachments: Mapping[str, Attachment]) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, PicturePart):
            sent = attachments[part.picture.sha256]
            source = {"type": "base64", "media_type": sent.media_type, "data": sent.base64}
            content.append({"type": "image", "source": source})
        elif part.text:  # an empty one is refused
            content.append({"type": "text", "text": part.text})
    return {"role": message.role, "content": content}


def _output(request: ModelRequest) -> dict[str, Any]:
    output: dict[str, Any] = {}
    effort = request.parameters.reasoning_effort
    if effort is not None and effort != "none":
        output["effort"] = "low" if effort == "minimal" else effort
    if request.reply_schema is not None and request.structured == "json_schema":
        output["format"] = {"type": "json_schema", "schema": bare_schema(request.reply_schema)}
    return output


def _thinking(request: ModelRequest) -> dict[str, Any] | None:
    """A budget of 0 is no thinking, of -1 as much as the model likes."""
    budget = request.parameters.thinking_budget
    if budget == 0 or (budget is None and request.parameters.reasoning_effort == "none"):
        return {"type": "disabled"}
    if budget == -1:
        return {"type": "adaptive"}
    return None if budget is None else {"type": "enabled", "budget_tokens": budget}


def _judge(stop_reason: str | None, text: str) -> tuple[AnswerStatus, str]:
    if stop_reason == "refusal":
        return AnswerStatus.REFUSED, "stopped by the provider: refusal"
    if stop_reason in _CUT:
        return AnswerStatus.TRUNCATED, f"cut off: {stop_reason}"
    if not text.strip():
        return AnswerStatus.EMPTY, "no text in the reply"
    return AnswerStatus.OK, ""


def _usage(tokens: _Tokens | None) -> Usage:
    """What is read from or written to the cache is not among the input tokens."""
    if tokens is None:
        return Usage()
    return make_usage(
        prompt=add_counts(tokens.input_tokens, tokens.cache_read_input_tokens, tokens.cache_creation_input_tokens),
        completion=tokens.output_tokens,
        reasoning=tokens.output_tokens_details.thinking_tokens if tokens.output_tokens_details else None,
        cached=tokens.cache_read_input_tokens,
    )
