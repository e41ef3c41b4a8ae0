"""The three real SDKs against the fault server: what is sent, what comes back, and what each failure becomes."""

import asyncio
import base64
import json
import logging
import traceback
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pytest

from core.calls import AnswerStatus
from core.errors import ConfigurationError
from core.model_specs import ModelSpec, Parameters
from core.pictures import decode_rgb, encode_png
from core.records import Blob, Picture
from models.base import (
    CallError,
    FailureKind,
    Message,
    ModelRequest,
    Parsed,
    PicturePart,
    Provider,
    Received,
    TextPart,
)
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer
from models.providers.registry import make_provider, parse_stored

pytestmark = pytest.mark.integration

PROVIDERS = ("openai", "gemini", "anthropic")
KEY = "planted-key-1234567890"
SCHEMA = json.dumps(
    {"type": "object", "properties": {"verdict": {"type": "string", "enum": ["yes", "no"]}}, "required": ["verdict"]}
)
PICTURE = encode_png(np.random.default_rng(1).integers(0, 256, (60, 80, 3), dtype=np.uint8))
Result = TypeVar("Result")


class Reply(NamedTuple):
    received: Received
    parsed: Parsed


@pytest.fixture
def plan(server: StartedFaultServer) -> Callable[..., None]:
    """Sets what goes wrong."""
    return lambda **faults: server.set(FaultPlan(**faults))


def spec_of(provider: str, url: str, **changes: Any) -> ModelSpec:
    base_url = f"{url}/v1" if provider == "openai" else url
    values = {"provider": provider, "name": "m-1", "family": "f", "base_url": base_url}
    return ModelSpec.model_validate(values | changes)


def request_of(spec: ModelSpec, *parts: TextPart | PicturePart, **changes: Any) -> ModelRequest:
    values: dict[str, Any] = {
        "provider": spec.provider,
        "model": spec.name,
        "base_url": spec.base_url,
        "system": "Be exact.",
        "messages": (Message(role="user", parts=parts or (TextPart(text="Is it?"),)),),
        "parameters": Parameters(max_tokens=500),
    }
    return ModelRequest(**(values | changes))


@pytest.mark.parametrize("provider", [*PROVIDERS, "scripted"])
def test_a_client_is_made_without_a_request_and_closed(provider: str) -> None:
    parameters = Parameters(reasoning_effort="low")
    spec = ModelSpec(provider=provider, name="m-1", family="f", parameters=parameters)  # pyright: ignore[reportArgumentType]
    asyncio.run(make_provider(spec, None).close())


def read(picture: Picture) -> bytes:
    assert picture == PICTURE.picture
    return PICTURE.data


def with_provider(spec: ModelSpec, work: Callable[[Provider], Coroutine[Any, Any, Result]]) -> Result:
    async def run() -> Result:
        provider = make_provider(spec, KEY)
        try:
            return await work(provider)
        finally:
            await provider.close()

    return asyncio.run(run())


def ask(spec: ModelSpec, request: ModelRequest, timeout: float = 30.0) -> Reply:
    async def once(provider: Provider) -> Reply:
        received = await provider.ask(request, read, timeout)
        return Reply(received, parse_stored(spec.provider, received.body))

    return with_provider(spec, once)


def fail(spec: ModelSpec, request: ModelRequest, timeout: float = 30.0) -> CallError:
    with pytest.raises(CallError) as raised:
        ask(spec, request, timeout)
    assert KEY not in str(raised.value)
    return raised.value


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_question_is_answered(provider: str, server: StartedFaultServer, plan: Callable[..., None]) -> None:
    plan(require_key=KEY)
    spec = spec_of(provider, server.url)
    received, parsed = ask(spec, request_of(spec))
    assert parsed.status is AnswerStatus.OK
    assert "scripted" in parsed.text
    assert parsed.model_reported == "m-1"
    assert parsed.usage.prompt == 4  # words
    assert parsed.usage.completion == len(parsed.text.split())
    assert received.request_id
    assert server.counts().asked == 1


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "prompt"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reply_has_the_shape_asked_for(provider: str, structured: str, server: StartedFaultServer) -> None:
    spec = spec_of(provider, server.url)
    request = request_of(spec, reply_schema=SCHEMA, reply_name="Verdict", structured=structured)
    assert json.loads(ask(spec, request).parsed.text)["verdict"] in ("yes", "no")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_all_parameters_are_taken_and_thoughts_are_counted(provider: str, server: StartedFaultServer) -> None:
    seed = {} if provider == "anthropic" else {"seed": 3}
    thinking = {"thinking_budget": 2048} if provider == "anthropic" else {"reasoning_effort": "high"}
    spec = spec_of(provider, server.url)
    request = request_of(spec, parameters=Parameters(max_tokens=4096, temperature=0.5, top_p=0.9, **seed, **thinking))
    parsed = ask(spec, request).parsed
    assert parsed.status is AnswerStatus.OK
    assert parsed.usage.completion is not None
    assert parsed.usage.completion > len(parsed.text.split())


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_picture_arrives(provider: str, server: StartedFaultServer) -> None:
    spec = spec_of(provider, server.url)
    plain = ask(spec, request_of(spec)).parsed
    seen = ask(spec, request_of(spec, TextPart(text="Is it?"), PicturePart(picture=PICTURE.picture))).parsed
    assert seen.usage.prompt is not None
    assert plain.usage.prompt is not None
    assert seen.usage.prompt - plain.usage.prompt == 258
    assert seen.usage.image == (258 if provider == "gemini" else None)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_talk_goes_on(provider: str, server: StartedFaultServer) -> None:
    spec = spec_of(provider, server.url)
    talk = (
        Message(role="user", parts=(TextPart(text="Is it?"), PicturePart(picture=PICTURE.picture))),
        Message(role="assistant", parts=(TextPart(text="Perhaps."),)),
        Message(role="user", parts=(TextPart(text="Say yes or no."),)),
    )
    assert ask(spec, request_of(spec, messages=talk)).parsed.status is AnswerStatus.OK
    assert [entry.turns for entry in server.log()] == [1]


def test_a_picture_is_edited_and_leaves_the_body(server: StartedFaultServer) -> None:
    spec = spec_of("gemini", server.url)
    parts = (TextPart(text="Make it red."), PicturePart(picture=PICTURE.picture))
    received, parsed = ask(spec, request_of(spec, *parts, wants_picture=True))
    (made,) = received.blobs
    assert parsed.pictures == (made.picture.sha256,)
    assert parsed.text
    assert (made.picture.width, made.picture.height) == (80, 60)
    assert 0.05 < (decode_rgb(made.data) != decode_rgb(PICTURE.data)).any(axis=2).mean() < 0.4
    assert base64.b64encode(made.data).decode()[:50] not in received.body
    assert len(received.body) < 2000


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_who_makes_no_pictures_says_so_before_the_call(provider: str, server: StartedFaultServer) -> None:
    spec = spec_of(provider, server.url)
    with pytest.raises(ConfigurationError, match="image_editor"):
        ask(spec, request_of(spec, wants_picture=True))
    assert server.counts().asked == 0


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("share_truncated", AnswerStatus.TRUNCATED),
        ("share_refusal", AnswerStatus.REFUSED),
        ("share_empty", AnswerStatus.EMPTY),
        ("share_malformed_json", AnswerStatus.OK),
    ],
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_reply_that_is_no_answer_is_a_value(
    provider: str, fault: str, status: AnswerStatus, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(**{fault: 1.0})
    spec = spec_of(provider, server.url)
    parsed = ask(spec, request_of(spec, reply_schema=SCHEMA)).parsed
    assert parsed.status is status
    assert server.counts().asked == 1


@pytest.mark.parametrize(
    ("fault", "kind", "http_status"),
    [
        ("share_rate_limited_once", FailureKind.RATE, 429),
        ("share_500_once", FailureKind.TEMPORARY, 500),
        ("share_503_once", FailureKind.TEMPORARY, 503),
        ("share_permanent_400", FailureKind.PERMANENT, 400),
        ("share_reset_once", FailureKind.TEMPORARY, None),
    ],
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_failure_is_told_by_its_kind_and_never_tried_again(
    provider: str,
    fault: str,
    kind: FailureKind,
    http_status: int | None,
    server: StartedFaultServer,
    plan: Callable[..., None],
) -> None:
    plan(**{fault: 1.0})
    spec = spec_of(provider, server.url)
    error = fail(spec, request_of(spec))
    assert (error.kind, error.http_status) == (kind, http_status)
    assert error.message
    assert server.counts().asked == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_wrong_key_is_told_as_such(provider: str, server: StartedFaultServer, plan: Callable[..., None]) -> None:
    plan(require_key="another-key")
    spec = spec_of(provider, server.url)
    assert fail(spec, request_of(spec)).kind is FailureKind.KEY


def parts_of_key(text: str) -> set[str]:
    parts = {KEY[start : start + 8] for start in range(len(KEY) - 7)}
    return {part for part in parts if part in text}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_no_part_of_the_key_comes_back_with_a_reply(
    provider: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(echoes_key=True)
    spec = spec_of(provider, server.url)
    for changes in ({}, {"reply_name": "Told", "reply_schema": SCHEMA}):
        received, parsed = ask(spec, request_of(spec, **changes))
        assert '"received_key": "[key]"' in received.body
        assert parsed.status is AnswerStatus.OK
        assert "[key]" in parsed.text
        assert "[key]" in f"{parsed.model_reported}"
        assert not parts_of_key(f"{received} {parsed}")


@pytest.mark.parametrize("fault", ["share_permanent_400", "share_500_once", "require_key"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_no_part_of_the_key_comes_back_with_an_error_or_its_causes(
    provider: str, fault: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(echoes_key=True, **{fault: "another" if fault == "require_key" else 1.0})
    spec = spec_of(provider, server.url)
    error = fail(spec, request_of(spec))
    assert "[key]" in error.message
    told = "".join(traceback.format_exception(error))
    assert not parts_of_key(told)
    assert "Error code" not in told  # of the SDK, which repeats the body


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_wait_that_is_asked_for_comes_along(
    provider: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(share_rate_limited_once=1.0, retry_after=2.5)
    spec = spec_of(provider, server.url)
    assert fail(spec, request_of(spec)).retry_after == 2.5


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_body_that_takes_too_long_is_given_up(
    provider: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(share_slow_body=1.0, slow_body_seconds=20.0)
    spec = spec_of(provider, server.url)
    error = fail(spec, request_of(spec), timeout=0.5)
    assert error.kind is FailureKind.TEMPORARY
    assert "0.5 seconds" in error.message


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_is_not_there_is_a_temporary_failure(provider: str, unused_port: Callable[[], int]) -> None:
    spec = spec_of(provider, f"http://127.0.0.1:{unused_port()}")
    error = fail(spec, request_of(spec))
    assert (error.kind, error.http_status) == (FailureKind.TEMPORARY, None)


HEAD = b"Content-Type: text/html\r\nConnection: close\r\nContent-Length: "
ODD_ANSWERS = {
    "page in place of a reply": b"HTTP/1.1 200 OK\r\n" + HEAD + b"15\r\n\r\n<html>Hi</html>",
    "page of a gateway": b"HTTP/1.1 502 Bad Gateway\r\n" + HEAD + b"16\r\n\r\n<html>502</html>",
    "broken json of an error": b"HTTP/1.1 503 Gone\r\n"
    + HEAD.replace(b"text/html", b"application/json")
    + b'2\r\n\r\n{"',
    "bytes that are no text": b"HTTP/1.1 200 OK\r\n"
    + HEAD.replace(b"html", b"plain; charset=utf-8")
    + b'3\r\n\r\n"\xff"',
    "cut off": b"HTTP/1.1 200 OK\r\n" + HEAD + b'9000\r\n\r\n{"choices": [',
    "no http": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "nothing": b"",
}


def fail_on(provider: str, answer: bytes) -> CallError:
    """What becomes of a request to which a server sends these bytes and closes."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async def run() -> CallError:
        async with await asyncio.start_server(respond, "127.0.0.1", 0) as listener:
            spec = spec_of(provider, f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}")
            client = make_provider(spec, KEY)
            try:
                with pytest.raises(CallError) as raised:
                    await client.ask(request_of(spec), read, 10.0)
            finally:
                await client.close()
        return raised.value

    return asyncio.run(run())


@pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS.keys())
@pytest.mark.parametrize("provider", PROVIDERS)
def test_whatever_else_listens_there_is_a_temporary_failure(provider: str, answer: bytes) -> None:
    error = fail_on(provider, answer)
    assert error.kind is FailureKind.TEMPORARY
    assert KEY not in error.message


QUOTA = {"error": {"message": "You exceeded your quota.", "type": "insufficient_quota", "code": "insufficient_quota"}}
CREDIT = {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low."}, "type": "error"}
ROUTER = {"error": {"code": 429, "message": "upstream is busy"}}
RETRY = {
    "error": {
        "code": 429,
        "message": "Quota exceeded.",
        "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}],
    }
}


@pytest.mark.parametrize(
    ("provider", "status", "body", "kind", "retry_after", "told"),
    [
        pytest.param("openai", 429, QUOTA, FailureKind.BROKE, None, "You exceeded", id="openai, no credit"),
        pytest.param("openai", 402, QUOTA, FailureKind.BROKE, None, "You exceeded", id="openai, to be paid"),
        pytest.param(
            "openai", 200, ROUTER, FailureKind.RATE, None, "upstream is busy", id="router, error in a success"
        ),
        pytest.param(
            "openai", 404, {"detail": "Not Found"}, FailureKind.MOVED, None, "Not Found", id="local, no such path"
        ),
        pytest.param(
            "openai",
            404,
            {"error": "model 'x' not found"},
            FailureKind.MOVED,
            None,
            "model 'x' not found",
            id="ollama",
        ),
        pytest.param("anthropic", 400, CREDIT, FailureKind.BROKE, None, "credit balance", id="anthropic, no credit"),
        pytest.param("anthropic", 529, {}, FailureKind.TEMPORARY, None, "HTTP 529", id="anthropic, overloaded"),
        pytest.param("gemini", 429, RETRY, FailureKind.RATE, 34.5, "Quota exceeded", id="gemini, wait"),
        pytest.param("gemini", 403, {}, FailureKind.KEY, None, "HTTP 403", id="gemini, forbidden"),
        pytest.param("gemini", 418, {}, FailureKind.PERMANENT, None, "HTTP 418", id="gemini, odd status"),
    ],
)
def test_errors_are_read_as_the_providers_word_them(
    provider: str, status: int, body: object, kind: FailureKind, retry_after: float | None, told: str
) -> None:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n"
    error = fail_on(provider, f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
    assert (error.kind, error.retry_after) == (kind, retry_after)
    assert told in error.message


@pytest.mark.parametrize("provider", PROVIDERS)
def test_many_questions_at_once_are_all_under_way_together(
    provider: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(latency_seconds=1.0)
    spec = spec_of(provider, server.url)

    async def ask_all(client: Provider) -> list[Received]:
        questions = (request_of(spec, TextPart(text=f"Number {n}?")) for n in range(150))
        return await asyncio.gather(*(client.ask(question, read, 60.0) for question in questions))

    assert len({received.body for received in with_provider(spec, ask_all)}) == 150
    counts = server.counts()
    assert (counts.asked, counts.rows) == (150, 150)
    assert counts.peak_open >= 150  # slow bodies that earlier tests gave up may still be open


@pytest.mark.parametrize("provider", PROVIDERS)
def test_who_stops_waiting_is_not_told_of_a_timeout(
    provider: str, server: StartedFaultServer, plan: Callable[..., None]
) -> None:
    plan(latency_seconds=20.0)
    spec = spec_of(provider, server.url)

    async def give_up(client: Provider) -> None:
        task = asyncio.create_task(client.ask(request_of(spec), read, 60.0))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with_provider(spec, give_up)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_neither_key_nor_picture_is_logged(
    provider: str, server: StartedFaultServer, plan: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    plan(share_permanent_400=1.0)
    spec = spec_of(provider, server.url)
    fail(spec, request_of(spec, PicturePart(picture=PICTURE.picture)))
    encoded = base64.b64encode(PICTURE.data).decode()
    assert KEY not in caplog.text
    assert encoded[100:160] not in caplog.text


def test_another_model_than_the_one_asked_is_reported(server: StartedFaultServer, plan: Callable[..., None]) -> None:
    plan(wrong_model_name="m-0-mini")
    for provider in PROVIDERS:
        spec = spec_of(provider, server.url)
        assert ask(spec, request_of(spec)).parsed.model_reported == "m-0-mini"


def test_a_picture_that_a_provider_refuses_is_not_sent(server: StartedFaultServer) -> None:
    spec = spec_of("gemini", server.url)
    gif = Blob(PICTURE.picture.model_copy(update={"media_type": "image/gif", "sha256": "d" * 64}), PICTURE.data)
    provider = make_provider(spec, KEY)
    request = request_of(spec, PicturePart(picture=gif.picture))
    with pytest.raises(CallError, match="image/gif"):
        asyncio.run(provider.ask(request, lambda _: gif.data, 5.0))
    assert server.counts().asked == 0
