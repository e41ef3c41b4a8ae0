"""Gemini's generateContent on the wire: a request into a body and a body into what it says, without the SDK, since
stored replies are read without any call."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.calls import AnswerStatus
from core.pictures import PictureError, read_picture
from core.records import Blob
from models.base import Message, ModelRequest, Parsed, PicturePart, Received, Usage
from models.providers.attachments import Attachment
from models.providers.bodies import CamelWire, Count, Told, add_counts, make_usage, read_body
from models.providers.schemas import plain_schema, with_schema

_PICTURE_PREFIX = "sha256:"
_MAX_DETAIL = 200
_REFUSALS = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
        "IMAGE_OTHER",
    }
)
_ROLES = {"user": "user", "assistant": "model"}


def content_body(request: ModelRequest, attachments: Mapping[str, Attachment]) -> dict[str, Any]:
    """The body of a request, keys as on the wire."""
    system, schema = request.system, request.reply_schema
    if schema is not None and request.structured != "json_schema":
        system = with_schema(system, schema)
    body: dict[str, Any] = {
        "contents": [_content(message, attachments) for message in request.messages],
        "generationConfig": _generation(request),
    }
    if system:
        body["systemInstruction"] = {"parts": [{"text": system}]}
    return body


def parse_content(body: str) -> Parsed:
    """Raises ValueError for a body that is no reply of generateContent."""
    reply = read_body(body, _Response)
    blocked = reply.prompt_feedback.block_reason if reply.prompt_feedback else None
    if not reply.candidates and not blocked and reply.usage_metadata is None and reply.model_version is None:
        raise ValueError("neither candidates nor a reason for their absence")
    candidate = reply.candidates[0] if reply.candidates else _Candidate()
    parts = [part for part in candidate.content.parts if not part.thought] if candidate.content else []
    text = "".join(part.text for part in parts)
    made = [part.inline_data.data for part in parts if part.inline_data]
    pictures = tuple(data.removeprefix(_PICTURE_PREFIX) for data in made if data.startswith(_PICTURE_PREFIX))
    finish = candidate.finish_reason or blocked
    status, detail = _judge(candidate.finish_reason, blocked, bool(text.strip() or pictures))
    if status is AnswerStatus.EMPTY and made:
        detail = made[0][:_MAX_DETAIL]  # why it could not be decoded
    return Parsed(
        status=status,
        text=text,
        finish_reason=finish,
        usage=_usage(reply.usage_metadata),
        model_reported=reply.model_version,
        pictures=pictures,
        detail=detail,
    )


def receive_content(body: str) -> Received:
    """The body with every made picture replaced by its hash, and the pictures. One that cannot be decoded is replaced
    by the reason. Raises ValueError for a body that is no reply of generateContent."""
    parse_content(body)
    request_id = read_body(body, _Response).response_id
    if not has_pictures(body):
        return Received(body, request_id)
    reply = json.loads(body)
    blobs: list[Blob] = []
    for part in _picture_parts(reply):
        blob, part["inlineData"]["data"] = _decode(str(part["inlineData"].get("data")))
        if blob is not None and not part.get("thought"):
            blobs.append(blob)
    return Received(json.dumps(reply, separators=(",", ":")), request_id, tuple(blobs))


def has_pictures(body: str) -> bool:
    return '"inlineData"' in body


class _Inline(CamelWire):
    data: str = ""


class _Part(CamelWire):
    text: str = ""
    thought: bool = False
    inline_data: _Inline | None = None


class _Content(CamelWire):
    parts: tuple[_Part, ...] = ()


class _Candidate(CamelWire):
    content: _Content | None = None
    finish_reason: str | None = None


class _Feedback(CamelWire):
    block_reason: str | None = None


class _Modality(CamelWire):
    modality: str = ""
    token_count: Count = None


class _Tokens(CamelWire):
    prompt_token_count: Count = None
    tool_use_prompt_token_count: Count = None
    candidates_token_count: Count = None
    thoughts_token_count: Count = None
    cached_content_token_count: Count = None
    prompt_tokens_details: tuple[_Modality, ...] = ()


class _Response(CamelWire):
    candidates: tuple[_Candidate, ...] = ()
    prompt_feedback: _Feedback | None = None
    usage_metadata: Told[_Tokens] = None
    model_version: str | None = None
    response_id: str | None = None


def _content(message: Message, attachments: Mapping[str, Attachment]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, PicturePart):
            sent = attachments[part.picture.sha256]
            parts.append({"inlineData": {"mimeType": sent.media_type, "data": sent.base64}})
        elif part.text:  # an empty one is refused
            parts.append({"text": part.text})
    return {"role": _ROLES[message.role], "parts": parts}


def _generation(request: ModelRequest) -> dict[str, Any]:
    parameters = request.parameters
    asked: dict[str, Any] = {
        "maxOutputTokens": parameters.max_tokens,
        "temperature": parameters.temperature,
        "topP": parameters.top_p,
        "seed": parameters.seed,
        "thinkingConfig": _thinking(request),
    }
    if request.wants_picture:
        asked["responseModalities"] = ["TEXT", "IMAGE"]
    elif request.reply_schema is not None and request.structured != "prompt":
        asked["responseMimeType"] = "application/json"
        if request.structured == "json_schema":
            asked["responseJsonSchema"] = plain_schema(request.reply_schema)
    return {name: value for name, value in asked.items() if value is not None}


def _thinking(request: ModelRequest) -> dict[str, Any] | None:
    """Models before Gemini 3 take a budget in tokens, later ones a level."""
    budget, effort = request.parameters.thinking_budget, request.parameters.reasoning_effort
    if budget is None and effort == "none":
        budget = 0
    if budget is not None:
        return {"thinkingBudget": budget}
    return {"thinkingLevel": effort.upper()} if effort else None


def _judge(finish: str | None, blocked: str | None, says_something: bool) -> tuple[AnswerStatus, str]:
    if blocked and blocked != "BLOCK_REASON_UNSPECIFIED":
        return AnswerStatus.REFUSED, f"the prompt was blocked: {blocked}"
    if finish in _REFUSALS:
        return AnswerStatus.REFUSED, f"stopped by the provider: {finish}"
    if finish == "MAX_TOKENS":
        return AnswerStatus.TRUNCATED, "cut off at max_tokens"
    if not says_something:
        return AnswerStatus.EMPTY, f"neither text nor picture in the reply ({finish or 'no finish reason'})"
    return AnswerStatus.OK, ""


def _usage(tokens: _Tokens | None) -> Usage:
    """Thoughts are billed as output but not counted among the candidates' tokens."""
    if tokens is None:
        return Usage()
    return make_usage(
        prompt=add_counts(tokens.prompt_token_count, tokens.tool_use_prompt_token_count),
        completion=add_counts(tokens.candidates_token_count, tokens.thoughts_token_count),
        reasoning=tokens.thoughts_token_count,
        image=add_counts(*(item.token_count for item in tokens.prompt_tokens_details if item.modality == "IMAGE")),
        cached=tokens.cached_content_token_count,
    )


def _picture_parts(reply: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for candidate in reply.get("candidates", ()):
        for part in (candidate.get("content") or {}).get("parts") or ():
            if isinstance(part.get("inlineData"), dict):
                yield part


def _decode(data: str) -> tuple[Blob | None, str]:
    try:
        blob = read_picture(base64.b64decode(data, validate=True))
    except (PictureError, binascii.Error) as error:
        return None, f"no picture: {error}"
    return blob, _PICTURE_PREFIX + blob.picture.sha256
