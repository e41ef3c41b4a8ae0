"""Bodies as documented at https://platform.claude.com/docs/en/api/messages."""

import json
from typing import Any

import pytest

from core.calls import AnswerStatus
from core.model_specs import Parameters
from core.records import Picture
from models.base import Message, ModelRequest, PicturePart, TextPart, Usage
from models.providers.attachments import Attachment
from models.providers.messages_format import messages_body, parse_message

SCHEMA = '{"properties":{"a":{"title":"A","type":"string","maxLength":9}},"required":[],"title":"R","type":"object"}'
PICTURE = Picture(sha256="a" * 64, media_type="image/webp", width=20, height=30)
ATTACHMENTS = {PICTURE.sha256: Attachment("image/webp", 30, "aGVsbG8=")}


def sent(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "provider": "anthropic",
        "model": "c-1",
        "base_url": None,
        "system": "Be exact.",
        "messages": (Message(role="user", parts=(TextPart(text="What is it?"),)),),
        "parameters": Parameters(max_tokens=77),
    }
    return json.loads(messages_body(ModelRequest(**(values | changes)), ATTACHMENTS))


def message(text: str | None = "Yes.", stop: str = "end_turn", **usage: object) -> str:
    content = [{"type": "thinking", "thinking": "hm", "signature": "x"}]
    content += [] if text is None else [{"type": "text", "text": text}]
    return json.dumps(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "c-1-2026",
            "content": content,
            "stop_reason": stop,
            "usage": usage,
        }
    )


def test_the_plainest_request_holds_nothing_but_what_was_asked() -> None:
    assert sent() == {
        "model": "c-1",
        "max_tokens": 77,
        "system": "Be exact.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "What is it?"}]}],
    }


def test_pictures_and_texts_keep_their_order_and_empty_texts_are_left_out() -> None:
    parts = (TextPart(text="a"), PicturePart(picture=PICTURE), TextPart(text=""))
    assert sent(messages=(Message(role="user", parts=parts),))["messages"][0]["content"] == [
        {"type": "text", "text": "a"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": "aGVsbG8="}},
    ]


def test_a_schema_loses_what_the_provider_refuses() -> None:
    assert sent(reply_schema=SCHEMA)["output_config"]["format"] == {
        "type": "json_schema",
        "schema": {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "required": ["a"],
            "additionalProperties": False,
        },
    }


@pytest.mark.parametrize("structured", ["json_object", "prompt"])
def test_without_a_schema_of_the_server_it_stands_in_the_prompt(structured: str) -> None:
    body = sent(reply_schema=SCHEMA, structured=structured)
    assert "output_config" not in body
    assert body["system"].endswith(SCHEMA)


@pytest.mark.parametrize(
    ("parameters", "thinking", "effort"),
    [
        (Parameters(), None, None),
        (Parameters(thinking_budget=2048), {"type": "enabled", "budget_tokens": 2048}, None),
        (Parameters(thinking_budget=0), {"type": "disabled"}, None),
        (Parameters(thinking_budget=-1, reasoning_effort="high"), {"type": "adaptive"}, "high"),
        (Parameters(reasoning_effort="none"), {"type": "disabled"}, None),
        (Parameters(reasoning_effort="minimal"), None, "low"),
    ],
    ids=["default", "budget", "no budget", "adaptive", "none", "minimal"],
)
def test_thinking_and_effort_are_two_settings(parameters: Parameters, thinking: object, effort: str | None) -> None:
    body = sent(parameters=parameters)
    assert body.get("thinking") == thinking
    assert body.get("output_config", {}).get("effort") == effort


def test_a_good_reply_says_its_text_and_counts_what_was_cached_as_prompt() -> None:
    body = message(
        input_tokens=5,
        cache_read_input_tokens=70,
        cache_creation_input_tokens=25,
        output_tokens=40,
        output_tokens_details={"thinking_tokens": 30},
    )
    parsed = parse_message(body)
    assert (parsed.status, parsed.text, parsed.finish_reason) == (AnswerStatus.OK, "Yes.", "end_turn")
    assert parsed.usage == Usage(prompt=100, completion=40, reasoning=30, cached=70)
    assert parsed.model_reported == "c-1-2026"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(message("Half", "max_tokens"), AnswerStatus.TRUNCATED, id="cut"),
        pytest.param(message(None, "model_context_window_exceeded"), AnswerStatus.TRUNCATED, id="window full"),
        pytest.param(message(None, "refusal"), AnswerStatus.REFUSED, id="refused"),
        pytest.param(message("I will", "refusal"), AnswerStatus.REFUSED, id="refused half-way"),
        pytest.param(message(None), AnswerStatus.EMPTY, id="only thoughts"),
        pytest.param(message(""), AnswerStatus.EMPTY, id="empty"),
    ],
)
def test_a_reply_that_is_no_answer_says_why(body: str, status: AnswerStatus) -> None:
    parsed = parse_message(body)
    assert parsed.status is status
    assert parsed.detail


@pytest.mark.parametrize("body", ["", "{}", '{"choices": []}'], ids=["nothing", "object", "chat"])
def test_what_is_no_message_is_an_error(body: str) -> None:
    with pytest.raises(ValueError):
        parse_message(body)
