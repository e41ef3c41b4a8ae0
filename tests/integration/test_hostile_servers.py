"""Answers that no server should give, with the key in them: whatever comes is a failure by its status, without a trace
of the key, and the next request may do better."""

import asyncio
import json
import subprocess
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from core.model_specs import ModelSpec, Parameters
from models.base import CallError, FailureKind, Message, ModelRequest, TextPart
from models.batch_server import BatchServer, make_batch_server
from models.providers.registry import make_provider

pytestmark = pytest.mark.integration

PROVIDERS = ("openai", "gemini", "anthropic")
KEY = "planted-key-8d1f0b-77"
NO_CLOCK = "Mon, 01 Jan 99999999999999 00:00:00 GMT"
DEEP = "[" * 5000 + "]" * 5000


def answer_of(
    status: int, body: object, charset: str = "utf-8", retry_after: str = "1", content_type: str = "application/json"
) -> bytes:
    data = (body if isinstance(body, str) else json.dumps(body)).encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}; charset={charset}\r\nRetry-After: {retry_after}\r\n"
    return f"{head}Connection: close\r\nX-Said: {KEY}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


TOLD = {"error": {"message": f"wrong: Bearer {KEY}", "type": "rate"}}
BUSY = {
    "year": answer_of(429, TOLD, retry_after=NO_CLOCK),
    "zone": answer_of(429, TOLD, retry_after="Mon, 01 Jan 2027 00:00:00 +99999999999999"),
    "lists and objects": answer_of(429, {"error": {"message": {"a": KEY}, "type": [KEY], "code": {"a": KEY}}}),
    "delay": answer_of(429, {"error": {"message": KEY, "details": [{"retryDelay": NO_CLOCK}]}}),
}
BROKEN = {
    "deep reply": answer_of(
        200, f'{{"choices": {DEEP}, "content": {DEEP}, "candidates": {DEEP}, "a": "\\ud800{KEY}"}}'
    ),
    "deep error": answer_of(500, f'{{"error": {DEEP}, "a": "{KEY}"}}'),
    "endless number": answer_of(500, f'{{"error": {{"message": "{KEY}", "code": {"9" * 5000}}}}}'),
    "charset for names": answer_of(500, TOLD, charset="idna"),
    "charset for bytes": answer_of(500, TOLD, charset="hex"),
}
ANSWERS = [
    *(pytest.param(answer, FailureKind.RATE, id=name) for name, answer in BUSY.items()),
    *(pytest.param(answer, FailureKind.TEMPORARY, id=name) for name, answer in BROKEN.items()),
]


def spec_at(provider: str, url: str) -> ModelSpec:
    base_url = f"{url}/v1" if provider == "openai" else url
    return ModelSpec.model_validate({"provider": provider, "name": "m-1", "family": "f", "base_url": base_url})


def request_of(spec: ModelSpec) -> ModelRequest:
    return ModelRequest(
        provider=spec.provider,
        model=spec.name,
        base_url=spec.base_url,
        system="",
        messages=(Message(role="user", parts=(TextPart(text="Is it?"),)),),
        parameters=Parameters(max_tokens=5),
    )


def fail_on(provider: str, answer: bytes, use: Callable[[ModelSpec], Awaitable[object]]) -> CallError:
    """What comes of `use` of a server that gives this answer to everything."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        await reader.read()  # to the end: who closes earlier breaks the connection under an upload
        writer.close()

    async def run() -> CallError:
        async with await asyncio.start_server(respond, "127.0.0.1", 0) as listener:
            with pytest.raises(CallError) as raised:
                await use(spec_at(provider, f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"))
        return raised.value

    error = asyncio.run(run())
    assert parts_in("".join(traceback.format_exception(error))) == []
    assert (error.__cause__, error.__context__) == (None, None)
    return error


def parts_in(text: str, key: str = KEY) -> list[str]:
    parts = [key[start : start + 8] for start in range(len(key) - 7)]
    return [part for part in parts if part in text]


@pytest.mark.parametrize(("answer", "kind"), ANSWERS)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_call_fails_by_its_status_without_a_trace_of_the_key(provider: str, answer: bytes, kind: FailureKind) -> None:
    async def ask(spec: ModelSpec) -> object:
        client = make_provider(spec, KEY)
        try:
            return await client.ask(request_of(spec), lambda _: b"", 10.0)
        finally:
            await client.close()

    assert fail_on(provider, answer, ask).kind is kind


USES: dict[str, Callable[[BatchServer], Awaitable[object]]] = {
    "submit": lambda batches: batches.submit([b"{}\n"], "tag"),
    "find": lambda batches: batches.find("tag"),
    "state": lambda batches: batches.state("batches/1"),
    "results": lambda batches: batches.results(["batches/1"]),
}


@pytest.mark.parametrize("name", ["year", "lists and objects", "deep error", "charset for names"])
@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_so_does_every_request_about_a_batch(
    provider: str, use: Callable[[BatchServer], Awaitable[object]], name: str
) -> None:
    async def ask(spec: ModelSpec) -> object:
        batches = make_batch_server(spec, KEY)
        try:
            return await use(batches)
        finally:
            await batches.close()

    error = fail_on(provider, (BUSY | BROKEN)[name], ask)
    assert error.kind is (FailureKind.RATE if name in BUSY else FailureKind.TEMPORARY)


def test_an_odd_line_of_a_batch_fails_alone() -> None:
    good = {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "model": "m-1"}
    lines = [
        json.dumps({"custom_id": "good", "response": {"status_code": 200, "request_id": 7, "body": good}}),
        json.dumps({"custom_id": "busy", "response": {"status_code": 429, "body": TOLD}}),
        json.dumps({"custom_id": "not reached", "response": None, "error": {"message": KEY, "code": 5}}),
        json.dumps({"custom_id": "a", "response": None, "error": "expired"}),
        json.dumps({"custom_id": "b", "response": {"status_code": 400, "body": "page"}}),
        json.dumps({"custom_id": "c", "response": {"status_code": "bad", "body": {"error": "odd"}}}),
        json.dumps({"custom_id": "d", "response": ["x"]}),
        f'{{"custom_id": "e", "response": {DEEP}}}',
        DEEP,
        '"no row"',
    ]

    async def read(spec: ModelSpec) -> object:
        batches = make_batch_server(spec, KEY)
        try:
            found = await batches.results(["file-1"])
        finally:
            await batches.close()
        kinds = {key: one.kind if isinstance(one, CallError) else one.request_id for key, one in found.items()}
        assert kinds == {
            "good": "7",
            "busy": FailureKind.RATE,
            "not reached": FailureKind.TEMPORARY,
            "": FailureKind.TEMPORARY,
        }
        busy = found["busy"]
        assert isinstance(busy, CallError)
        raise busy

    fail_on("openai", answer_of(200, "\n".join(lines), content_type="application/octet-stream"), read)


class _Rude(BaseHTTPRequestHandler):
    """First a wait until no date, then a refusal of the key; both repeat it."""

    asked = 0

    def do_GET(self) -> None:
        self._say(404, {})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _Rude.asked += 1
        self._say(429 if _Rude.asked <= 3 else 401, {"error": {"message": f"no: {self.headers['Authorization']}"}})

    def _say(self, status: int, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Retry-After", NO_CLOCK)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written to the terminal."""


@pytest.fixture
def rude() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Rude) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def test_a_build_ends_with_the_variable_to_set_and_leaves_no_trace_of_the_key(
    rude: str,
    command: Callable[..., "subprocess.CompletedProcess[str]"],
    data: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """All files of this session are searched, the database of Prefect's server among them."""
    models = {
        "FLAWBENCH_MODELS": "local",
        "FLAWBENCH_BASE_URL": rude,
        "FLAWBENCH_MODEL": "m-1",
        "FLAWBENCH_API_KEY_VARIABLE": "RUDE_KEY",
    }
    build = ("build", "--limit", "4", "--subtype", "ambiguity")
    ended = command(*build, data=data, check=False, RUDE_KEY=KEY, **models)
    assert _Rude.asked > 3
    assert (ended.returncode, "RUDE_KEY" in ended.stderr) == (2, True)
    assert "Traceback" not in ended.stderr
    files = [path for path in tmp_path_factory.getbasetemp().rglob("*") if path.is_file()]
    assert any(path.name == "prefect.db" for path in files)
    texts = {"out": ended.stdout, "err": ended.stderr} | {
        str(path): path.read_bytes().decode("latin1") for path in files
    }
    assert [(place, parts_in(text)) for place, text in texts.items() if parts_in(text)] == []
