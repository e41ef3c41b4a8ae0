"""Batches over a bad line: a server or a process that goes away at the worst moment costs no reply twice and no row
its true state. A small proxy before the fault server breaks what the fault server answers."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from ask_rows import Job, ask_for
from warm_commands import WarmProcess

from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from models.ledger import Ledger

pytestmark = pytest.mark.integration

ROWS = 30
AWAY = 2
"""How often a request fails."""
Answer = tuple[int, bytes]
Spoil = Callable[[str, Answer], Answer | None]
Wait = Callable[[Callable[[], bool], float], None]
Start = Callable[[], WarmProcess]
Ask = Callable[[], dict[str, Any]]


class Proxy(ThreadingHTTPServer):
    """Hands all requests on; `spoil` may change an answer or, with None, break the connection in its place."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = urlsplit(target).netloc
        self.spoil: Spoil = lambda _, answer: answer
        self.seen: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._hand_on()

    def do_POST(self) -> None:
        self._hand_on()

    def _hand_on(self) -> None:
        proxy = self.server
        assert isinstance(proxy, Proxy)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kept = ("authorization", "content-type", "x-goog-api-key")
        headers = {name: value for name, value in self.headers.items() if name.lower() in kept}
        connection = HTTPConnection(proxy.target, timeout=30)
        connection.request(self.command, self.path, body, headers)
        reply = connection.getresponse()
        answer: Answer | None = (reply.status, reply.read())
        connection.close()
        call = f"{self.command} {self.path.partition('?')[0]}"
        proxy.seen[call] += 1
        answer = proxy.spoil(call, answer)
        if answer is None:
            self.close_connection = True
            return
        status, data = answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written to the terminal."""


@pytest.fixture(params=["openai", "gemini"])
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def server() -> Iterator[StartedFaultServer]:
    """One for each test: the batch of a killed run would else end in the log of the next."""
    with started_fault_server(FaultPlan(batch_seconds=0.5)) as server:
        yield server


@pytest.fixture
def proxy(server: StartedFaultServer) -> Iterator[Proxy]:
    with Proxy(server.url) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield proxy
        proxy.shutdown()


@pytest.fixture
def models(proxy: Proxy, provider: str) -> ModelsRecipe:
    address = f"{proxy.url}/v1" if provider == "openai" else proxy.url
    spec = ModelSpec.model_validate(
        {"provider": provider, "name": "fake-1", "family": "fake", "base_url": address, "batch": True}
    )
    return ModelsRecipe(name="test", models={"a": spec}, generators=(GeneratorShare(model="a", share=1),))


@pytest.fixture
def start(ask_rows: Callable[..., WarmProcess], models: ModelsRecipe, tmp_path: Path) -> Start:
    """A run that is killed, or beside one that is."""
    return lambda: ask_rows(models, tmp_path, range(ROWS))


@pytest.fixture
def ask(models: ModelsRecipe, tmp_path: Path) -> Ask:
    """A run in this process."""
    return lambda: ask_for(Job(models=models, folder=str(tmp_path), rows=tuple(range(ROWS))))


def test_a_batch_whose_making_was_not_confirmed_is_not_made_again(
    proxy: Proxy, server: StartedFaultServer, ask: Ask
) -> None:
    proxy.spoil = lambda call, answer: None if made(call) and proxy.seen[call] == 1 else answer
    assert_whole(ask())
    assert (batches_made(server), server.counts().asked) == (1, ROWS)


def test_results_that_cannot_be_fetched_for_a_while_are_not_paid_again(
    proxy: Proxy, server: StartedFaultServer, ask: Ask
) -> None:
    proxy.spoil = lambda call, answer: (503, b"{}") if fetched(call) and proxy.seen[call] <= AWAY else answer
    assert_whole(ask())
    assert server.counts().asked == ROWS


def test_a_server_that_is_away_when_a_run_goes_on_does_not_make_it_pay_again(
    proxy: Proxy, server: StartedFaultServer, start: Start, ask: Ask, wait_for: Wait
) -> None:
    server.set(FaultPlan(batch_seconds=2.0))
    killed = start()
    wait_for(lambda: batches_made(server) == 1, 30)
    kill(killed)
    proxy.seen.clear()
    proxy.spoil = lambda call, answer: (503, b"{}") if "/batches" in call and proxy.seen[call] <= AWAY else answer
    assert_whole(ask())
    assert (batches_made(server), server.counts().asked) == (1, ROWS)


def test_a_batch_that_the_account_does_not_know_marks_no_row_as_failed(
    proxy: Proxy,
    start: Start,
    ask: Ask,
    tmp_path: Path,
    server: StartedFaultServer,
    wait_for: Wait,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.set(FaultPlan(batch_seconds=30.0))
    killed = start()
    wait_for(lambda: any(b'"batch":"' in path.read_bytes() for path in notes(tmp_path)), 30)
    kill(killed)
    server.set(FaultPlan(batch_seconds=0.3))
    for path in notes(tmp_path):
        other = path.read_bytes().replace(b'"batch_', b'"batch_of_another_account_')
        path.write_bytes(other.replace(b'"batches/', b'"batches/of-another-account-'))
    (lost,) = [json.loads(path.read_bytes()) for path in notes(tmp_path)]
    assert_whole(ask())
    assert f"no longer shows batch {lost['batch']} of" in caplog.text
    ledger = Ledger(tmp_path / "spending" / "build")
    assert (len(ledger.payments()), len(ledger.attempts())) == (ROWS, ROWS)


def test_replies_with_unicode_line_ends_are_read(proxy: Proxy, ask: Ask) -> None:
    def unescape(call: str, answer: tuple[int, bytes]) -> tuple[int, bytes]:
        status, body = answer
        for name in (b'"content": "', b'"text": "'):
            body = body.replace(name, name + b"\xe2\x80\xa8\xc2\x85")
        return (status, body) if fetched(call) else answer

    proxy.spoil = unescape
    result = ask()
    assert_whole(result)
    assert all("\u2028" in row["text"] for row in result["rows"].values())


@pytest.mark.parametrize("provider", ["openai"])  # the others upload no file
def test_an_upload_that_fails_for_a_while_sends_no_row_at_full_price(
    proxy: Proxy, server: StartedFaultServer, ask: Ask
) -> None:
    proxy.spoil = lambda call, answer: (503, b"{}") if call.endswith("/files") and proxy.seen[call] <= 4 else answer
    assert_whole(ask())
    assert {entry.batch is None for entry in server.log() if entry.key} == {False}


def test_what_a_killed_run_had_sent_is_found_by_one_that_was_running_beside_it(
    server: StartedFaultServer, start: Start, wait_for: Wait
) -> None:
    server.set(FaultPlan(batch_seconds=6.0))
    first = start()
    wait_for(lambda: batches_made(server) == 1, 30)
    second = start()
    time.sleep(3.0)
    kill(first)
    assert_whole(finish(second))
    assert (batches_made(server), server.counts().asked) == (1, ROWS)


def test_a_note_is_closed_although_a_run_was_killed_while_replies_were_stored(
    server: StartedFaultServer, ask: Ask, tmp_path: Path
) -> None:
    ask()
    replies = sorted((tmp_path / "objects" / "replies").rglob("*.json"))
    for path in replies[: ROWS // 2]:
        path.unlink()
    for path in notes(tmp_path):  # as they are before the last reply is stored
        path.write_bytes(path.read_bytes().replace(b'"closed":true', b'"closed":false'))
    assert_whole(ask())
    assert server.counts().asked == ROWS
    assert all(json.loads(path.read_bytes())["closed"] for path in notes(tmp_path))


def made(call: str) -> bool:
    return call == "POST /v1/batches" or call.endswith(":batchGenerateContent")


def fetched(call: str) -> bool:
    return call.endswith("/content") or call.startswith("GET /v1beta/batches/")


def notes(folder: Path) -> list[Path]:
    return list((folder / "objects" / "batches").glob("*.json"))


def batches_made(server: StartedFaultServer) -> int:
    """Nothing but POST is answered 200 at this path with a new batch; lists go to the same path and are left out."""
    return len({entry.batch for entry in server.log() if entry.batch}) or sum(
        entry.path == "/v1/batches" or entry.path.endswith(":batchGenerateContent") for entry in server.log()
    )


def kill(process: WarmProcess) -> None:
    process.kill()
    process.communicate()


def finish(process: WarmProcess) -> dict[str, Any]:
    try:
        output, errors = process.communicate(timeout=40)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    return json.loads(output)


def assert_whole(result: dict[str, Any]) -> None:
    assert result["errors"] == []
    assert [row["status"] for row in result["rows"].values()] == ["ok"] * ROWS
