"""Chat completions and every planned fault, as OpenAI's SDK sees them."""

import base64
import io
import json
import time
import urllib.error
import urllib.request
from typing import Any

import openai
import pytest
from PIL import Image
from pydantic import ValidationError

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer

pytestmark = pytest.mark.integration

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"enum": ["yes", "no"]}, "reason": {"type": "string", "maxLength": 20}},
    "required": ["verdict", "reason"],
    "additionalProperties": False,
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}}
ROWS = range(60)


def ask(client: openai.OpenAI, text: str, **more: Any) -> Any:
    messages: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    return client.chat.completions.create(model="m-1", messages=messages, **more)


def png(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "PNG")
    return made.getvalue()


def test_a_chat_completion_is_answered_and_logged(client: openai.OpenAI, server: StartedFaultServer) -> None:
    before = time.monotonic()
    reply = ask(client, "one two three")
    entry = server.log()[0]
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.prompt_tokens == 5
    assert reply.usage.completion_tokens == len(reply.choices[0].message.content.split())
    assert (entry.path, entry.model, entry.turns, entry.status) == ("/v1/chat/completions", "m-1", 0, 200)
    assert before <= entry.arrived <= (entry.finished or 0) <= time.monotonic()


def test_the_same_request_gets_the_same_bytes(client: openai.OpenAI) -> None:
    assert ask(client, "again") == ask(client, "again")
    assert ask(client, "again").id != ask(client, "another").id


def test_chinese_characters_count_one_token_each(client: openai.OpenAI) -> None:
    assert ask(client, "求三角形 ABC").usage.prompt_tokens == 2 + 2 + 4


def test_a_reply_fits_the_schema(client: openai.OpenAI) -> None:
    said = json.loads(ask(client, "x", response_format=FORMAT).choices[0].message.content)
    assert said["verdict"] == "yes"
    assert 0 < len(said["reason"]) <= 20


def test_a_schema_written_into_the_system_text_is_kept_to(client: openai.OpenAI) -> None:
    system = f"Reply with one JSON object that fits this JSON schema, and with nothing else:\n{json.dumps(SCHEMA)}"
    messages: Any = [{"role": "system", "content": system}, {"role": "user", "content": "x"}]
    reply = client.chat.completions.create(model="m", messages=messages)
    assert json.loads(reply.choices[0].message.content or "")["verdict"] == "yes"


def test_reasoning_is_counted_where_it_is_asked_for(client: openai.OpenAI) -> None:
    plain, thinking = ask(client, "x"), ask(client, "x", reasoning_effort="low")
    assert plain.usage.completion_tokens_details.reasoning_tokens == 0
    reasoning = thinking.usage.completion_tokens_details.reasoning_tokens
    assert reasoning > 0
    assert thinking.usage.completion_tokens == plain.usage.completion_tokens + reasoning


def test_pictures_belong_to_the_key_of_a_row(client: openai.OpenAI, server: StartedFaultServer) -> None:
    for colour in ("red", "blue"):
        data = base64.b64encode(png(Image.new("RGB", (9, 9), colour))).decode()
        parts = [
            {"type": "text", "text": "x"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        ]
        messages: Any = [{"role": "user", "content": parts}]
        client.chat.completions.create(model="m", messages=messages)
    assert len({entry.key for entry in server.log()}) == 2


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        pytest.param({"share_rate_limited_once": 1}, openai.RateLimitError, id="429"),
        pytest.param({"share_500_once": 1}, openai.InternalServerError, id="500"),
        pytest.param({"share_503_once": 1}, openai.InternalServerError, id="503"),
        pytest.param({"share_reset_once": 1}, openai.APIConnectionError, id="reset"),
    ],
)
def test_a_row_fails_once_and_is_then_answered(
    client: openai.OpenAI, server: StartedFaultServer, plan: dict[str, float], error: type[Exception]
) -> None:
    server.set(FaultPlan.model_validate(plan))
    with pytest.raises(error):
        ask(client, "a")
    ask(client, "a")
    with pytest.raises(error):
        ask(client, "b")
    assert server.counts().asked == 3
    assert server.counts().replies == 1
    assert len({entry.key for entry in server.log()}) == 2


def test_a_permanent_fault_stays(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_permanent_400=1))
    for _ in range(2):
        with pytest.raises(openai.BadRequestError):
            ask(client, "a")
    assert server.counts().statuses == {"400": 2}


def test_a_wrong_key_is_refused_and_counted(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(require_key="right"))
    with pytest.raises(openai.AuthenticationError):
        ask(client, "a")
    assert [(entry.status, entry.key) for entry in server.log()] == [(401, None)]
    assert (server.counts().asked, server.counts().replies, server.counts().statuses) == (1, 0, {"401": 1})
    ask(client.with_options(api_key="right"), "a")


@pytest.mark.parametrize(("seconds", "header"), [(3.0, "3"), (None, None)], ids=["with", "without"])
def test_retry_after_is_sent_as_planned(
    client: openai.OpenAI, server: StartedFaultServer, seconds: float | None, header: str | None
) -> None:
    server.set(FaultPlan(share_rate_limited_once=1, retry_after=seconds))
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client, "a")
    assert caught.value.response.headers.get("retry-after") == header


def test_what_passes_the_rate_is_turned_away(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(requests_per_second=5))
    started = time.monotonic()
    for number in range(25):
        try:
            ask(client, str(number))
        except openai.RateLimitError:
            continue
    allowed = 5 + 5 * (time.monotonic() - started)
    assert 5 <= server.counts().replies <= allowed + 1
    assert server.counts().statuses["429"] == 25 - server.counts().replies


def test_a_reply_is_cut_only_below_the_given_limit(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_truncated=1, truncated_below=100))
    assert ask(client, "a", max_tokens=99).choices[0].finish_reason == "length"
    assert ask(client, "a", max_completion_tokens=100).choices[0].finish_reason == "stop"


def test_a_refusal_and_an_empty_reply_are_told_apart(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_refusal=1))
    refused = ask(client, "a").choices[0].message
    server.set(FaultPlan(share_empty=1))
    empty = ask(client, "a").choices[0].message
    assert (refused.content, bool(refused.refusal)) == (None, True)
    assert (empty.content, empty.refusal) == ("", None)


@pytest.mark.parametrize("fault", ["malformed_json", "wrong_schema", "duplicated_keys"])
def test_json_is_spoiled_until_the_talk_goes_on(client: openai.OpenAI, server: StartedFaultServer, fault: str) -> None:
    server.set(FaultPlan.model_validate({f"share_{fault}": 1}))
    first = ask(client, "a", response_format=FORMAT).choices[0].message.content
    if fault == "malformed_json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(first)
    elif fault == "wrong_schema":
        assert not json.loads(first).keys() & SCHEMA["properties"].keys()
    else:
        names = json.loads(first, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
        assert names == ["verdict", "reason", "verdict"]
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": first},
        {"role": "user", "content": "That does not fit the schema."},
    ]
    mended = client.chat.completions.create(model="m-1", messages=messages, response_format=FORMAT)
    assert json.loads(mended.choices[0].message.content or "").keys() == SCHEMA["properties"].keys()
    assert [(entry.turns, entry.fault) for entry in server.log()] == [(0, fault), (1, None)]
    assert len({entry.key for entry in server.log()}) == 1


def test_a_slow_body_takes_its_time_after_the_headers(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_slow_body=1, slow_body_seconds=1))
    started = time.monotonic()
    with client.chat.completions.with_streaming_response.create(
        model="m", messages=[{"role": "user", "content": "a"}]
    ) as response:
        headers = time.monotonic() - started
        response.json()
    assert headers < 0.8 < 1 <= time.monotonic() - started


def test_another_model_is_reported(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(wrong_model_name="other"))
    assert ask(client, "a").model == "other"


def test_a_row_belongs_to_its_class_in_any_order(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_permanent_400=0.3, share_refusal=0.3))

    def run(numbers: list[int]) -> dict[str | None, str | None]:
        server.reset()
        for number in numbers:
            try:
                ask(client, str(number))
            except openai.BadRequestError:
                continue
        return {entry.key: entry.fault for entry in server.log()}

    forwards = run(list(ROWS))
    assert run(list(reversed(ROWS))) == forwards
    faults = list(forwards.values())
    assert 8 <= faults.count("permanent_400") <= 28
    assert 8 <= faults.count("refusal") <= 28


def test_shares_over_the_whole_are_refused() -> None:
    with pytest.raises(ValidationError, match="more than 1"):
        FaultPlan(share_empty=0.6, share_refusal=0.6)


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'{"model": "m"}', b'{"model": "m", "messages": []}'], ids=["cut", "list", "none", "empty"]
)
def test_what_is_no_request_is_refused(server: StartedFaultServer, body: bytes) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server.url}/v1/chat/completions", body)
    caught.value.close()
    assert caught.value.code == 400
