"""Bodies as documented at https://ai.google.dev/api/generate-content."""

import base64
import hashlib
import json
from typing import Any

import numpy as np
import pytest

from core.calls import AnswerStatus
from core.model_specs import Parameters
from core.pictures import encode_png
from core.records import Picture
from models.base import Message, ModelRequest, PicturePart, TextPart, Usage
from models.providers.attachments import Attachment
from models.providers.content_format import content_body, parse_content, receive_content

SCHEMA = '{"properties":{"a":{"title":"A","type":"string","maxLength":9}},"required":["a"],"title":"R","type":"object"}'
PICTURE = Picture(sha256="a" * 64, media_type="image/jpeg", width=20, height=30)
ATTACHMENTS = {PICTURE.sha256: Attachment("image/jpeg", 30, "aGVsbG8=")}
PNG = encode_png(np.full((20, 24, 3), 90, dtype=np.uint8)).data


def sent(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "provider": "gemini",
        "model": "g-1",
        "base_url": None,
        "system": "Be exact.",
        "messages": (Message(role="user", parts=(TextPart(text="What is it?"),)),),
        "parameters": Parameters(max_tokens=77),
    }
    return content_body(ModelRequest(**(values | changes)), ATTACHMENTS)


def reply(*parts: dict[str, Any], finish: str | None = "STOP", **more: object) -> str:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish, "index": 0}
    return json.dumps({"candidates": [candidate], "modelVersion": "g-1-002", "responseId": "r-9", **more})


def inline(data: bytes) -> dict[str, Any]:
    return {"inlineData": {"mimeType": "image/png", "data": base64.b64encode(data).decode()}}


def test_the_plainest_request_holds_nothing_but_what_was_asked() -> None:
    assert sent() == {
        "contents": [{"role": "user", "parts": [{"text": "What is it?"}]}],
        "systemInstruction": {"parts": [{"text": "Be exact."}]},
        "generationConfig": {"maxOutputTokens": 77},
    }


def test_pictures_and_turns_keep_their_order() -> None:
    talk = (
        Message(role="user", parts=(PicturePart(picture=PICTURE), TextPart(text=""), TextPart(text="a"))),
        Message(role="assistant", parts=(TextPart(text="b"),)),
    )
    assert sent(messages=talk, system="") == {
        "contents": [
            {"role": "user", "parts": [{"inlineData": {"mimeType": "image/jpeg", "data": "aGVsbG8="}}, {"text": "a"}]},
            {"role": "model", "parts": [{"text": "b"}]},
        ],
        "generationConfig": {"maxOutputTokens": 77},
    }


def test_a_schema_goes_in_as_it_is_but_for_its_titles() -> None:
    config = sent(reply_schema=SCHEMA)["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "string", "maxLength": 9}},
        "required": ["a"],
    }


@pytest.mark.parametrize(("structured", "media_type"), [("json_object", "application/json"), ("prompt", None)])
def test_without_a_schema_of_the_server_it_stands_in_the_prompt(structured: str, media_type: str | None) -> None:
    body = sent(reply_schema=SCHEMA, structured=structured)
    assert body["generationConfig"].get("responseMimeType") == media_type
    assert "responseJsonSchema" not in body["generationConfig"]
    assert body["systemInstruction"]["parts"][0]["text"].endswith(SCHEMA)


def test_a_picture_is_asked_for_beside_text() -> None:
    config = sent(wants_picture=True)["generationConfig"]
    assert config["responseModalities"] == ["TEXT", "IMAGE"]
    assert "responseMimeType" not in config


@pytest.mark.parametrize(
    ("parameters", "thinking"),
    [
        (Parameters(), None),
        (Parameters(thinking_budget=512), {"thinkingBudget": 512}),
        (Parameters(thinking_budget=0), {"thinkingBudget": 0}),
        (Parameters(reasoning_effort="low"), {"thinkingLevel": "LOW"}),
        (Parameters(reasoning_effort="none"), {"thinkingBudget": 0}),
    ],
    ids=["default", "budget", "no budget", "level", "none"],
)
def test_thinking_is_a_budget_or_a_level(parameters: Parameters, thinking: object) -> None:
    assert sent(parameters=parameters)["generationConfig"].get("thinkingConfig") == thinking


def test_a_good_reply_says_its_text_without_thoughts_and_what_it_used() -> None:
    usage = {
        "promptTokenCount": 300,
        "candidatesTokenCount": 20,
        "thoughtsTokenCount": 80,
        "cachedContentTokenCount": 100,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 42}, {"modality": "IMAGE", "tokenCount": 258}],
    }
    body = reply({"text": "hm", "thought": True}, {"text": "Yes"}, {"text": "."}, usageMetadata=usage)
    parsed = parse_content(body)
    assert (parsed.status, parsed.text, parsed.finish_reason) == (AnswerStatus.OK, "Yes.", "STOP")
    assert parsed.usage == Usage(prompt=300, completion=100, reasoning=80, image=258, cached=100)
    assert parsed.model_reported == "g-1-002"


BLOCKED = json.dumps({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "g"})


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(reply({"text": "Half"}, finish="MAX_TOKENS"), AnswerStatus.TRUNCATED, id="cut"),
        pytest.param(reply(finish="SAFETY"), AnswerStatus.REFUSED, id="safety"),
        pytest.param(reply(finish="PROHIBITED_CONTENT"), AnswerStatus.REFUSED, id="prohibited"),
        pytest.param(reply(finish="IMAGE_SAFETY"), AnswerStatus.REFUSED, id="image safety"),
        pytest.param(reply({"text": "Once"}, finish="RECITATION"), AnswerStatus.REFUSED, id="recitation"),
        pytest.param(BLOCKED, AnswerStatus.REFUSED, id="blocked prompt"),
        pytest.param(reply(), AnswerStatus.EMPTY, id="no parts"),
        pytest.param(reply(finish="NO_IMAGE"), AnswerStatus.EMPTY, id="no image"),
        pytest.param('{"usageMetadata": {"promptTokenCount": 3}}', AnswerStatus.EMPTY, id="no candidates"),
        pytest.param('{"candidates":[{"finishReason":"OTHER"}]}', AnswerStatus.EMPTY, id="no content"),
        pytest.param(reply({"text": "hm", "thought": True}), AnswerStatus.EMPTY, id="only thoughts"),
    ],
)
def test_a_reply_that_is_no_answer_says_why(body: str, status: AnswerStatus) -> None:
    parsed = parse_content(body)
    assert parsed.status is status
    assert parsed.detail


@pytest.mark.parametrize("body", ["", "{}", "[]", '{"choices": []}'], ids=["nothing", "object", "list", "chat"])
def test_what_is_no_reply_is_an_error(body: str) -> None:
    with pytest.raises(ValueError):
        parse_content(body)


def test_a_body_without_pictures_stays_as_it_was_received() -> None:
    body = reply({"text": "Ä"}).replace('"role": "model"', '"role" :  "model"')
    received = receive_content(body)
    assert (received.body, received.blobs, received.request_id) == (body, (), "r-9")


def test_a_made_picture_leaves_the_body_and_comes_as_a_blob() -> None:
    received = receive_content(reply({"text": "Here."}, inline(PNG)))
    digest = hashlib.sha256(PNG).hexdigest()
    assert [blob.data for blob in received.blobs] == [PNG]
    assert received.blobs[0].picture == Picture(sha256=digest, media_type="image/png", width=24, height=20)
    assert base64.b64encode(PNG).decode()[:40] not in received.body
    parsed = parse_content(received.body)
    assert (parsed.status, parsed.text, parsed.pictures) == (AnswerStatus.OK, "Here.", (digest,))


def test_a_picture_that_cannot_be_decoded_is_none_and_says_so() -> None:
    received = receive_content(reply(inline(PNG[:60])))
    assert received.blobs == ()
    parsed = parse_content(received.body)
    assert (parsed.status, parsed.pictures) == (AnswerStatus.EMPTY, ())
    assert "undecodable" in parsed.detail


def test_pictures_of_thoughts_are_no_answer() -> None:
    received = receive_content(reply({**inline(PNG), "thought": True}))
    assert received.blobs == ()
    assert parse_content(received.body).status is AnswerStatus.EMPTY
