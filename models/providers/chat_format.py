"""Chat completions on the wire: a request into a body and a body into what it says, without the SDK, since stored
replies are read without any call."""

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from core.calls import AnswerStatus
from models.base import Message, ModelRequest, Parsed, Usage
from models.providers.attachments import Attachment
from models.providers.bodies import Count, Told, Wire, make_usage, read_body
from models.providers.schemas import strict_schema, with_schema

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)


def chat_body(request: ModelRequest, attachments: Mapping[str, Attachment]) -> bytes:
    """The JSON to post. `max_tokens` is called `max_completion_tokens` by OpenAI alone; other servers know the old
    name."""
    parameters = request.parameters
    body: dict[str, object] = {
        "model": request.model,
        "messages": _messages(request, attachments),
        "max_completion_tokens" if request.base_url is None else "max_tokens": parameters.max_tokens,
    }
    for name in ("temperature", "top_p", "seed", "reasoning_effort"):
        value = getattr(parameters, name)
        if value is not None:
            body[name] = value
    response_format = _response_format(request)
    if response_format:
        body["response_format"] = response_format
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def parse_chat(body: str) -> Parsed:
    """Raises ValueError for a body that is no chat completion. Thoughts before the answer, which some local servers
    leave in the text, are cut off."""
    reply = read_body(body, _Completion)
    choice = reply.choices[0]
    text = _THOUGHTS.sub("", _join(choice.message.content))
    status, detail = _judge(choice, text)
    return Parsed(
        status=status,
        text=text,
        finish_reason=choice.finish_reason,
        usage=_usage(reply.usage),
        model_reported=reply.model,
        detail=detail,
    )


class _TextOfPart(Wire):
    text: str = ""


class _Reply(Wire):
    content: str | tuple[_TextOfPart, ...] | None = None
    refusal: str | None = None


class _Choice(Wire):
    message: _Reply
    finish_reason: str | None = None


class _PromptDetails(Wire):
    cached_tokens: Count = None
    image_tokens: Count = None


class _CompletionDetails(Wire):
    reasoning_tokens: Count = None


class _Tokens(Wire):
    prompt_tokens: Count = None
    completion_tokens: Count = None
    prompt_tokens_details: Told[_PromptDetails] = None
    completion_tokens_details: Told[_CompletionDetails] = None


class _Completion(Wire):
    choices: tuple[_Choice, ...] = Field(min_length=1)
    model: str | None = None
    usage: Told[_Tokens] = None


def _messages(request: ModelRequest, attachments: Mapping[str, Attachment]) -> list[dict[str, Any]]:
    system = request.system
    if request.reply_schema is not None and request.structured != "json_schema":
        system = with_schema(system, request.reply_schema)
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    messages += [{"role": message.role, "content": _content(message, attachments)} for message in request.messages]
    return messages


def _content(message: Message, attachments: Mapping[str, Attachment]) -> str | list[dict[str, object]]:
    """One text stays a text: the chat templates of some local models take no list."""
    parts = message.parts
    if len(parts) == 1 and parts[0].kind == "text":
        return parts[0].text
    content: list[dict[str, object]] = []
    for part in parts:
        if part.kind == "picture":
            sent = attachments[part.picture.sha256]
            url = f"data:{sent.media_type};base64,{sent.base64}"
            content.append({"type": "image_url", "image_url": {"url": url}})
        elif part.text:  # an empty one is refused
            content.append({"type": "text", "text": part.text})
    return content


def _response_format(request: ModelRequest) -> dict[str, object] | None:
    if request.reply_schema is None or request.structured == "prompt":
        return None
    if request.structured == "json_object":
        return {"type": "json_object"}
    schema = strict_schema(request.reply_schema, lengths=request.base_url is not None)
    named = {"name": request.reply_name or "reply", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": named}


def _judge(choice: _Choice, text: str) -> tuple[AnswerStatus, str]:
    if choice.message.refusal:
        return AnswerStatus.REFUSED, choice.message.refusal
    if choice.finish_reason == "content_filter":
        return AnswerStatus.REFUSED, "stopped by the content filter"
    if choice.finish_reason == "length":
        return AnswerStatus.TRUNCATED, "cut off at max_tokens"
    if not text.strip():
        return AnswerStatus.EMPTY, "no text in the reply"
    return AnswerStatus.OK, ""


def _join(content: str | tuple[_TextOfPart, ...] | None) -> str:
    if isinstance(content, tuple):
        return "".join(part.text for part in content)
    return content or ""


def _usage(tokens: _Tokens | None) -> Usage:
    if tokens is None:
        return Usage()
    prompt, completion = tokens.prompt_tokens_details, tokens.completion_tokens_details
    return make_usage(
        prompt=tokens.prompt_tokens,
        completion=tokens.completion_tokens,
        reasoning=completion.reasoning_tokens if completion else None,
        image=prompt.image_tokens if prompt else None,
        cached=prompt.cached_tokens if prompt else None,
    )
