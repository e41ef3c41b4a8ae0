"""Bodies as documented at https://platform.openai.com/docs/api-reference/chat and as compatible servers really send."""

import json
from typing import Any

import pytest

from core.calls import AnswerStatus
from core.model_specs import Parameters
from core.records import Picture
from models.base import Message, ModelRequest, PicturePart, TextPart, Usage
from models.providers.attachments import Attachment
from models.providers.chat_format import chat_body, parse_chat

SCHEMA = json.dumps(
    {
        "type": "object",
        "title": "Reply",
        "properties": {"text": {"type": "string", "maxLength": 90, "default": ""}, "count": {"type": "integer"}},
        "required": ["count"],
    }
)
PICTURE = Picture(sha256="a" * 64, media_type="image/png", width=20, height=30)
ATTACHMENTS = {PICTURE.sha256: Attachment("image/png", 30, "aGVsbG8=")}


def request(**changes: Any) -> ModelRequest:
    values: dict[str, Any] = {
        "provider": "openai",
        "model": "m-1",
        "base_url": None,
        "system": "Be exact.",
        "messages": (Message(role="user", parts=(TextPart(text="What is it?"),)),),
        "parameters": Parameters(max_tokens=77),
    }
    return ModelRequest(**(values | changes))


def sent(**changes: Any) -> dict[str, Any]:
    return json.loads(chat_body(request(**changes), ATTACHMENTS))


def completion(content: object = "Yes.", finish: str | None = "stop", **message: object) -> str:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return json.dumps({"object": "chat.completion", "model": "m-1-2026", "choices": [choice]})


def test_the_plainest_request_holds_nothing_but_what_was_asked() -> None:
    assert sent() == {
        "model": "m-1",
        "messages": [{"role": "system", "content": "Be exact."}, {"role": "user", "content": "What is it?"}],
        "max_completion_tokens": 77,
    }


def test_other_servers_are_told_the_limit_under_its_old_name() -> None:
    body = sent(base_url="http://127.0.0.1:9/v1")
    assert body["max_tokens"] == 77
    assert "max_completion_tokens" not in body


def test_parameters_that_are_given_are_sent_and_no_others() -> None:
    body = sent(parameters=Parameters(max_tokens=5, temperature=0, top_p=0.5, seed=7, reasoning_effort="low"))
    assert {name: body[name] for name in ("temperature", "top_p", "seed", "reasoning_effort")} == {
        "temperature": 0,
        "top_p": 0.5,
        "seed": 7,
        "reasoning_effort": "low",
    }


def test_pictures_and_texts_keep_their_order_and_empty_texts_are_left_out() -> None:
    parts = (TextPart(text="first"), PicturePart(picture=PICTURE), TextPart(text=""), TextPart(text="last"))
    body = sent(messages=(Message(role="user", parts=parts),), system="")
    assert body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "first"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}},
                {"type": "text", "text": "last"},
            ],
        }
    ]


def test_turns_of_a_talk_are_sent_with_their_roles() -> None:
    talk = (
        Message(role="user", parts=(TextPart(text="a"),)),
        Message(role="assistant", parts=(TextPart(text="b"),)),
        Message(role="user", parts=(TextPart(text="c"),)),
    )
    assert [(item["role"], item["content"]) for item in sent(messages=talk, system="")["messages"]] == [
        ("user", "a"),
        ("assistant", "b"),
        ("user", "c"),
    ]


def test_a_strict_schema_requires_all_and_allows_nothing_else() -> None:
    body = sent(reply_schema=SCHEMA, reply_name="Verdict")
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "Verdict",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "count": {"type": "integer"}},
                "required": ["text", "count"],
                "additionalProperties": False,
            },
        },
    }


def test_local_servers_keep_the_limits_of_strings() -> None:
    body = sent(reply_schema=SCHEMA, base_url="http://127.0.0.1:9/v1")
    assert body["response_format"]["json_schema"]["schema"]["properties"]["text"] == {"type": "string", "maxLength": 90}


@pytest.mark.parametrize(("structured", "form"), [("json_object", {"type": "json_object"}), ("prompt", None)])
def test_without_a_schema_of_the_server_it_stands_in_the_prompt(structured: str, form: object) -> None:
    body = sent(reply_schema=SCHEMA, structured=structured)
    assert body.get("response_format") == form
    system = body["messages"][0]["content"]
    assert system.startswith("Be exact.\n\n")
    assert system.endswith(SCHEMA)


def test_a_good_reply_says_its_text_and_what_it_used() -> None:
    body = json.loads(completion())
    body["usage"] = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 10, "image_tokens": 60},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    parsed = parse_chat(json.dumps(body))
    assert (parsed.status, parsed.text, parsed.finish_reason) == (AnswerStatus.OK, "Yes.", "stop")
    assert parsed.usage == Usage(prompt=100, completion=50, reasoning=30, image=60, cached=10)
    assert parsed.model_reported == "m-1-2026"


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        pytest.param(completion("Half of", "length"), AnswerStatus.TRUNCATED, "Half of", id="cut"),
        pytest.param(completion(None, "length"), AnswerStatus.TRUNCATED, "", id="cut while thinking"),
        pytest.param(completion("Half", "content_filter"), AnswerStatus.REFUSED, "Half", id="filtered"),
        pytest.param(completion(None, refusal="I cannot."), AnswerStatus.REFUSED, "", id="refused"),
        pytest.param(completion(""), AnswerStatus.EMPTY, "", id="empty"),
        pytest.param(completion(" \n"), AnswerStatus.EMPTY, " \n", id="blank"),
        pytest.param(completion(None), AnswerStatus.EMPTY, "", id="no content"),
        pytest.param(completion("<think>hm\n</think>\n"), AnswerStatus.EMPTY, "", id="only thoughts"),
    ],
)
def test_a_reply_that_is_no_answer_says_why(body: str, status: AnswerStatus, text: str) -> None:
    parsed = parse_chat(body)
    assert (parsed.status, parsed.text) == (status, text)
    assert parsed.detail


def test_a_refusal_is_told_in_its_own_words() -> None:
    assert parse_chat(completion(None, refusal="I cannot.")).detail == "I cannot."


def test_thoughts_in_the_text_are_cut_off() -> None:
    assert parse_chat(completion('<think>a } b</think>\n\n{"a": 1}')).text == '{"a": 1}'


def test_a_content_of_several_parts_is_one_text() -> None:
    assert parse_chat(completion([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])).text == "ab"


def test_counts_that_are_no_counts_do_not_spoil_a_reply() -> None:
    body = json.loads(completion())
    body["usage"] = {"prompt_tokens": "12", "completion_tokens": -1, "prompt_tokens_details": None, "cost": {"usd": 1}}
    assert parse_chat(json.dumps(body)).usage == Usage(doubtful=True)
    body["usage"] = {"prompt_tokens": 10**400, "completion_tokens": True, "completion_tokens_details": {}}
    assert parse_chat(json.dumps(body)).usage == Usage(doubtful=True)
    for usage in ("none", 5, [], {"prompt_tokens_details": "x", "completion_tokens_details": [1]}):
        assert parse_chat(json.dumps(body | {"usage": usage})).usage == Usage()


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    assert parse_chat(completion("a\ud83db")).text == "a?b"


def test_a_whole_surrogate_pair_stays() -> None:
    assert parse_chat(completion("a\U0001f600b")).text == "a\U0001f600b"


@pytest.mark.parametrize(
    "body",
    ["", "<html>502</html>", "{}", "[]", "null", '{"choices": []}', '{"candidates": []}', completion()[:-2]],
    ids=["nothing", "page", "object", "list", "null", "no choices", "gemini", "cut"],
)
def test_what_is_no_completion_is_an_error(body: str) -> None:
    with pytest.raises(ValueError):
        parse_chat(body)
