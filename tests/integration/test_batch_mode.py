"""Rows that may wait, sent together at half the price: once, however often the run is killed."""

import json
import signal
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from ask_rows import Job, ask_for
from warm_commands import WarmProcess

from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe, Price
from models.fault_server.plan import FaultPlan, Spoil
from models.fault_server.started import StartedFaultServer
from models.ledger import Ledger

pytestmark = pytest.mark.integration

PRICE = Price(input=100.0, output=100.0, batch_factor=0.5, date="2026-01-01")
Start = Callable[..., WarmProcess]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(params=["openai", "gemini"])
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def make_models(server: StartedFaultServer, provider: str) -> Callable[..., ModelsRecipe]:
    def make(batch: bool = True, url: str = server.url) -> ModelsRecipe:
        address = f"{url}/v1" if provider == "openai" else url
        spec = ModelSpec.model_validate(
            {"provider": provider, "name": "fake-1", "family": "fake", "base_url": address, "batch": batch}
        )
        return ModelsRecipe(
            name="test",
            models={"a": spec},
            generators=(GeneratorShare(model="a", share=1),),
            prices={"fake-1": PRICE},
        )

    return make


@pytest.fixture
def start(ask_rows: Start, make_models: Callable[..., ModelsRecipe], tmp_path: Path) -> Start:
    """A run that is killed, or whose warnings are read."""
    return lambda rows: ask_rows(make_models(), tmp_path, range(rows))


@pytest.fixture
def ask(make_models: Callable[..., ModelsRecipe], tmp_path: Path) -> Ask:
    """A run in this process."""
    return lambda rows, **place: ask_for(
        Job(models=make_models(**place), folder=str(tmp_path), rows=tuple(range(rows)))
    )


def test_rows_go_together_at_half_the_price_and_stay(server: StartedFaultServer, ask: Ask, tmp_path: Path) -> None:
    server.set(FaultPlan(batch_seconds=1.0))
    first = ask(80)
    assert (len(first["rows"]), statuses(first), first["errors"]) == (80, {"ok"}, [])
    assert len({entry.batch for entry in server.log() if entry.key}) == 1
    replies = stored(tmp_path)
    assert all(reply["batch"] for reply in replies)
    for reply in replies:
        tokens = reply["usage"]["prompt"] + reply["usage"]["completion"]
        assert reply["usd"] == pytest.approx(tokens * 100 / 1e6 / 2)
    payments = Ledger(tmp_path / "spending" / "build").payments()
    assert sum(one.usd for one in payments) == pytest.approx(sum(reply["usd"] for reply in replies))
    assert ask(80)["rows"] == first["rows"]
    assert ask(90, batch=False)["rows"].items() >= first["rows"].items()
    assert server.counts().asked == 90


@pytest.mark.parametrize("seconds", [0.0, 0.6], ids=["just_sent", "under_way"])
def test_a_batch_is_found_again_after_a_kill(
    server: StartedFaultServer,
    start: Start,
    ask: Ask,
    tmp_path: Path,
    seconds: float,
    wait_for: Callable[[Callable[[], bool], float], None],
) -> None:
    server.set(FaultPlan(batch_seconds=3.0))
    killed = start(60)
    wait_for(lambda: any(entry.path.endswith(("/batches", ":batchGenerateContent")) for entry in server.log()), 30)
    time.sleep(seconds)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert stored(tmp_path) == []
    resumed = ask(60)
    assert (len(resumed["rows"]), statuses(resumed)) == (60, {"ok"})
    assert server.counts().asked == 60
    assert sum(reply["batch"] for reply in stored(tmp_path)) == 60
    ledger = Ledger(tmp_path / "spending" / "build")
    assert (len(ledger.payments()), ledger.attempts()) == (60, [])


def test_rows_that_failed_in_the_batch_are_asked_for_on_their_own(
    server: StartedFaultServer, ask: Ask, tmp_path: Path
) -> None:
    server.set(FaultPlan(batch_seconds=0.2, share_500_once=0.2, share_permanent_400=0.1))
    result = ask(100)
    bad = [row for row, found in result["rows"].items() if found["status"] == "failed"]
    assert len(result["rows"]) == 100
    assert 1 <= len(bad) <= 30
    alone = [reply for reply in stored(tmp_path) if reply["body"] and not reply["batch"]]
    assert len(alone) == server.counts().faults["500_once"]
    assert server.counts().asked == 100 + len(alone)


def test_rows_of_a_batch_that_expired_are_asked_for_on_their_own(
    server: StartedFaultServer, ask: Ask, tmp_path: Path
) -> None:
    server.set(FaultPlan(batch_seconds=0.2, batch_expires=True))
    assert statuses(ask(20)) == {"ok"}
    assert {reply["batch"] for reply in stored(tmp_path)} == {False}
    assert server.counts().asked == 20


def test_a_batch_that_the_provider_lost_is_told_and_counts_as_maybe_billed(
    server: StartedFaultServer, start: Start, ask: Ask, tmp_path: Path
) -> None:
    server.set(FaultPlan(batch_seconds=0.2, batch_hidden_looks=1000))
    result, told = finish_aloud(start(20))
    assert (len(result["rows"]), statuses(result), result["errors"]) == (20, {"ok"}, [])
    (note,) = notes(tmp_path)
    assert note["closed"]
    assert f"no longer shows batch {note['batch']} of" in told
    assert_reserved(tmp_path, paid=20, maybe_billed=20)
    assert ask(20)["rows"] == result["rows"]
    assert server.counts().asked == 40
    assert_reserved(tmp_path, paid=20, maybe_billed=20)


def test_a_batch_that_shows_itself_late_is_not_given_up(server: StartedFaultServer, ask: Ask, tmp_path: Path) -> None:
    server.set(FaultPlan(batch_seconds=0.2, batch_hidden_looks=2))
    assert statuses(ask(20)) == {"ok"}
    assert server.counts().asked == 20
    (note,) = notes(tmp_path)
    assert note["closed"]
    assert note["batch"].removeprefix("batches/") in {entry.batch for entry in server.log()}
    assert_reserved(tmp_path, paid=20, maybe_billed=0)


@pytest.mark.parametrize("spoil", Spoil)
def test_rows_without_a_readable_result_are_told_and_count_as_maybe_billed(
    server: StartedFaultServer, start: Start, tmp_path: Path, spoil: Spoil
) -> None:
    server.set(FaultPlan(batch_seconds=0.2, batch_spoils=spoil))
    result, told = finish_aloud(start(20))
    assert (len(result["rows"]), statuses(result), result["errors"]) == (20, {"ok"}, [])
    assert server.counts().asked == 30
    (note,) = notes(tmp_path)
    assert f"Batch {note['batch']} of" in told
    assert "no readable result for 10 of 20 rows" in told
    assert_reserved(tmp_path, paid=20, maybe_billed=10)


def test_a_batch_that_is_too_large_goes_in_smaller_ones(server: StartedFaultServer, ask: Ask, tmp_path: Path) -> None:
    server.set(FaultPlan(batch_seconds=0.2, batch_bytes=4000))
    assert statuses(ask(40)) == {"ok"}
    assert {reply["batch"] for reply in stored(tmp_path)} == {True}
    assert server.counts().asked == 40
    assert len({entry.batch for entry in server.log() if entry.key}) > 1
    assert all(note["closed"] for note in notes(tmp_path))
    assert_reserved(tmp_path, paid=40, maybe_billed=0)


def test_a_row_that_is_too_large_for_a_batch_says_what_to_change(
    server: StartedFaultServer, ask: Ask, tmp_path: Path
) -> None:
    server.set(FaultPlan(batch_bytes=10))
    result = ask(1)
    assert result["rows"] == {}
    assert any("too large" in error and "Set `scale_pictures_to`" in error for error in result["errors"])
    assert_reserved(tmp_path, paid=0, maybe_billed=0)


def test_a_server_without_batches_says_what_to_change(ask: Ask) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), NoBatches) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        result = ask(5, url=f"http://127.0.0.1:{other.server_port}")
        other.shutdown()
    assert result["rows"] == {}
    assert any("takes no batch" in error and "Set `models.a.batch`" in error for error in result["errors"])


class NoBatches(BaseHTTPRequestHandler):
    """As vLLM and Ollama answer: there is no such path."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written to the terminal."""


def finish_aloud(process: WarmProcess) -> tuple[dict[str, Any], str]:
    """Also the warnings."""
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return json.loads(output), errors


def notes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_bytes()) for path in (folder / "objects" / "batches").glob("*.json")]


def assert_reserved(folder: Path, paid: int, maybe_billed: int) -> None:
    ledger = Ledger(folder / "spending" / "build")
    attempts = ledger.attempts()
    assert (len(ledger.payments()), len(attempts)) == (paid, maybe_billed)
    assert all(attempt.batch and attempt.worst_usd > 0 for attempt in attempts)


def statuses(result: dict[str, Any]) -> set[str]:
    return {found["status"] for found in result["rows"].values()}


def stored(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in (folder / "objects" / "replies").rglob("*.json")]
