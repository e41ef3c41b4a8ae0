"""What a run pays for and what it loses, whatever the server and the user do to it. Every count is read from the log of
the fault server; every run uses the real SDK, and is a process of its own where it is killed or another one runs."""

import contextlib
import json
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from ask_rows import Job, ask_for
from warm_commands import WarmProcess

from core.model_specs import GeneratorShare, Limits, ModelSpec, ModelsRecipe, Price
from core.pictures import encode_png
from core.records import Picture
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer
from models.ledger import Ledger
from models.reply_store import ReplyStore
from storage.files import TEMPORARY_FOLDER, Files
from storage.objects import ObjectStore

pytestmark = pytest.mark.integration

AskRows = Callable[..., WarmProcess]
Wait = Callable[[Callable[[], bool], float], None]
ROWS = 600
PLANTED_KEY = "sk-planted-0123456789abcdef"
LATENCY = 0.2


class Result(NamedTuple):
    rows: dict[str, dict[str, Any]]
    replies: dict[str, list[str]]
    paid: int
    errors: list[str]
    seconds: float
    grown_mb: float

    @property
    def texts(self) -> dict[str, str]:
        return {row: found["text"] for row, found in self.rows.items()}

    def statuses(self) -> set[str]:
        return {found["status"] for found in self.rows.values()}


class Runs:
    """Runs of one build against one server, in one folder."""

    def __init__(self, ask_rows: AskRows, server: StartedFaultServer, folder: Path) -> None:
        self.ask_rows = ask_rows
        self.server = server
        self.folder = folder
        self.spec = ModelSpec(
            provider="openai",
            name="fake-1",
            family="fake",
            base_url=f"{server.url}/v1",
            limits=Limits(concurrency=50),
        )
        self.prices: dict[str, Price] = {}
        self.budget_usd: float | None = None
        self.repair_turns = 1

    def run(self, rows: int | Sequence[int] = ROWS, folder: Path | None = None, **job: object) -> Result:
        """In this process, which has loaded all that it takes."""
        place = {"models": self.models(), "folder": str(folder or self.folder), "rows": numbers(rows)}
        return Result(**ask_for(Job.model_validate({**place, **job})))

    def start(self, rows: int | Sequence[int], folder: Path | None = None, **job: object) -> WarmProcess:
        return self.ask_rows(self.models(), folder or self.folder, numbers(rows), **job)

    def models(self) -> ModelsRecipe:
        return ModelsRecipe(
            name="test",
            models={"a": self.spec},
            generators=(GeneratorShare(model="a", share=1),),
            repair_turns=self.repair_turns,
            prices=self.prices,
            budget_usd=self.budget_usd,
        )

    def requests(self) -> int:
        return self.server.counts().asked


def numbers(rows: int | Sequence[int]) -> tuple[int, ...]:
    return tuple(range(rows) if isinstance(rows, int) else rows)


@pytest.fixture
def runs(ask_rows: AskRows, server: StartedFaultServer, tmp_path: Path) -> Runs:
    server.set(FaultPlan(latency_seconds=LATENCY))
    return Runs(ask_rows, server, tmp_path)


@pytest.fixture(scope="module")
def quiet_seconds(ask_rows: AskRows, running: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> float:
    """What 600 rows take when nothing goes wrong."""
    running.set(FaultPlan(latency_seconds=LATENCY))
    return Runs(ask_rows, running, tmp_path_factory.mktemp("quiet")).run().seconds


def finish(process: WarmProcess) -> Result:
    output, errors = process.communicate(timeout=180)
    assert process.returncode == 0, errors
    return Result(**json.loads(output))


def test_the_same_run_again_sends_nothing(runs: Runs) -> None:
    first = runs.run()
    assert (len(first.rows), first.paid, runs.requests()) == (ROWS, ROWS, ROWS)
    again = runs.run()
    assert again.rows == first.rows
    assert (again.paid, runs.requests()) == (0, ROWS)


def test_ten_rows_more_are_ten_requests(runs: Runs) -> None:
    runs.run(100)
    assert len(runs.run(110).rows) == 110
    assert runs.requests() == 110


def test_rows_in_another_order_are_the_same_rows(runs: Runs) -> None:
    first = runs.run(60)
    assert runs.run(list(reversed(range(60)))).rows == first.rows
    assert runs.requests() == 60


def test_another_system_text_asks_every_row_anew(runs: Runs) -> None:
    first = runs.run(50)
    second = runs.run(50, system="You answer in two sentences.")
    assert runs.requests() == 100
    assert all(first.texts[row] != second.texts[row] for row in first.rows)


def test_other_rows_are_asked_and_get_no_stale_reply(runs: Runs) -> None:
    first, second = runs.run(range(50)), runs.run(range(50, 100))
    assert runs.requests() == 100
    assert set(first.texts.values()).isdisjoint(second.texts.values())


def test_another_address_asks_every_row_anew(runs: Runs) -> None:
    runs.run(50)
    runs.spec = runs.spec.model_copy(update={"base_url": f"{runs.server.url}/v1/"})
    runs.run(50)
    assert runs.requests() == 50
    runs.spec = runs.spec.model_copy(update={"base_url": f"{runs.server.url.replace('127.0.0.1', 'localhost')}/v1"})
    runs.run(50)
    assert runs.requests() == 100


def test_other_bytes_of_a_picture_ask_that_row_anew(runs: Runs) -> None:
    pictures = store_pictures(runs.folder, count=10, side=16)
    runs.run(10, pictures=dumped(pictures))
    other = store_pictures(runs.folder, count=1, side=20)
    runs.run(10, pictures=dumped([*other, *pictures[1:]]))
    assert runs.requests() == 11


def test_a_hundred_large_pictures_are_stored_once_and_held_one_at_a_time(runs: Runs) -> None:
    pictures = store_pictures(runs.folder, count=100, side=320)
    size = sum(path.stat().st_size for path in (runs.folder / "objects" / "pictures").rglob("*.png"))
    assert size > 100 * 300_000
    result = finish(runs.start(100, pictures=dumped(pictures)))
    assert len(result.rows) == 100
    stored = sum(path.stat().st_size for path in (runs.folder / "objects").rglob("*") if path.is_file())
    assert stored <= 1.2 * size
    assert result.grown_mb < 150


@pytest.mark.parametrize("retry_after", [None, 1.0], ids=["silent", "retry_after"])
def test_a_limit_of_20_a_second_is_found(runs: Runs, retry_after: float | None) -> None:
    runs.server.set(FaultPlan(latency_seconds=LATENCY, requests_per_second=20, retry_after=retry_after))
    result = runs.run()
    assert (len(result.rows), result.statuses(), result.errors) == (ROWS, {"ok"}, [])
    assert runs.requests() <= 1.1 * ROWS
    assert result.seconds <= 1.2 * ROWS / 20


@pytest.mark.parametrize("fault", ["share_rate_limited_once", "share_500_once"])
def test_rows_that_fail_once_cost_one_request_each_and_hardly_any_time(
    runs: Runs, quiet_seconds: float, fault: str
) -> None:
    runs.server.set(FaultPlan(latency_seconds=LATENCY, **{fault: 0.05}))
    result = runs.run()
    failed = sum(runs.server.counts().faults.values())
    assert 15 <= failed <= 50
    assert (len(result.rows), result.statuses()) == (ROWS, {"ok"})
    assert runs.requests() == ROWS + failed
    assert result.seconds <= 1.3 * quiet_seconds


def test_connections_that_break_and_slow_bodies_lose_nothing(runs: Runs) -> None:
    runs.server.set(FaultPlan(share_reset_once=0.1, share_503_once=0.1, share_slow_body=0.1, slow_body_seconds=0.5))
    result = runs.run(200)
    assert (len(result.rows), result.statuses()) == (200, {"ok"})
    counts = runs.server.counts()
    assert counts.repeated == 0
    assert counts.asked == 200 + counts.faults["reset_once"] + counts.faults["503_once"]


def test_a_bad_row_is_asked_once_and_reported(runs: Runs) -> None:
    runs.server.set(FaultPlan(share_permanent_400=0.03))
    first = runs.run(300)
    bad = [row for row, found in first.rows.items() if found["status"] == "failed"]
    assert 1 <= len(bad) <= 25
    assert all("400" in first.rows[row]["detail"] for row in bad)
    assert len(first.rows) == runs.requests() == 300
    assert runs.run(300).rows == first.rows
    assert runs.requests() == 300


def test_a_model_that_refuses_everything_stops_the_run_and_no_row_is_marked_as_bad(runs: Runs) -> None:
    runs.server.set(FaultPlan(share_permanent_400=1.0))
    stopped = runs.run(40)
    assert stopped.rows == {}
    assert "refuses every request" in stopped.errors[0]
    runs.server.set(FaultPlan())
    assert runs.run(40).statuses() == {"ok"}


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (FaultPlan(page_status=404), "is not what answers at"),
        (FaultPlan(page_status=405), "is not what answers at"),
        (FaultPlan(page_status=400), "is not what answers at"),
        (FaultPlan(share_permanent_400=1.0), "refuses every request since its last reply"),
    ],
    ids=["404 page", "405 page", "400 page", "400 to all"],
)
def test_a_server_that_is_another_one_after_a_while_stops_the_run_and_no_row_is_lost(
    runs: Runs, plan: FaultPlan, told: str, wait_for: Wait
) -> None:
    runs.spec = runs.spec.model_copy(update={"attempts": 3})
    process = runs.start(ROWS)
    wait_for(lambda: runs.server.counts().replies >= 100, 30)
    runs.server.set(plan)
    output, _ = process.communicate(timeout=60)
    stopped = Result(**json.loads(output))
    assert [error for error in stopped.errors if told not in error] == []
    assert stopped.statuses() == {"ok"}
    assert len(stopped.rows) < ROWS
    runs.server.set(FaultPlan(latency_seconds=LATENCY))
    before = runs.requests()
    again = runs.run()
    assert (len(again.rows), again.statuses()) == (ROWS, {"ok"})
    assert runs.requests() - before == ROWS - len(stopped.rows)


def test_nothing_at_the_address_is_told(runs: Runs) -> None:
    runs.spec = runs.spec.model_copy(update={"base_url": "http://127.0.0.1:9/v1"})
    stopped = runs.run(20)
    assert "cannot be reached at http://127.0.0.1:9/v1" in stopped.errors[0]


def test_a_refused_key_stops_the_run_with_the_variable_to_set_and_loses_nothing(runs: Runs) -> None:
    runs.spec = runs.spec.model_copy(update={"key_variable": "FAKE_KEY"})
    runs.server.set(FaultPlan(latency_seconds=0.05, require_key="right"))
    kept = runs.run(40, environment={"FAKE_KEY": "right"})
    stopped = runs.run(ROWS, environment={"FAKE_KEY": PLANTED_KEY})
    assert len(stopped.rows) == len(kept.rows)
    assert len(stopped.errors) == 1
    assert "Set FAKE_KEY" in stopped.errors[0]
    refused = runs.server.counts().statuses["401"]
    assert refused <= runs.spec.limits.concurrency
    assert len(runs.run(ROWS, environment={"FAKE_KEY": "right"}).rows) == ROWS
    assert runs.requests() == ROWS + refused
    assert holders_of(PLANTED_KEY, runs.folder) == []


def test_cut_and_malformed_replies_are_repaired_or_flagged_and_never_taken_for_good(runs: Runs) -> None:
    plan = FaultPlan(
        share_truncated=0.05, share_malformed_json=0.02, share_wrong_schema=0.02, share_duplicated_keys=0.02
    )
    runs.server.set(plan)
    result = runs.run(structured=True)
    faults = runs.server.counts().faults
    assert set(faults) >= {"truncated", "malformed_json", "duplicated_keys", "wrong_schema"}
    assert (len(result.rows), result.statuses()) == (ROWS, {"ok", "truncated"})
    for row, found in result.rows.items():
        assert (found["value"] is not None) == (found["status"] == "ok")
        assert len(result.replies[row]) <= 1 + runs.repair_turns
    repaired = [row for row, replies in result.replies.items() if replies == ["unparsable", "ok"]]
    assert len(repaired) == sum(faults[name] for name in ("malformed_json", "wrong_schema", "duplicated_keys"))
    assert runs.requests() == sum(len(replies) for replies in result.replies.values())


def test_a_cut_reply_is_whole_with_twice_the_room(runs: Runs) -> None:
    runs.server.set(FaultPlan(share_truncated=0.2, truncated_below=10_000))
    result = runs.run(100, structured=True)
    assert result.statuses() == {"ok"}
    assert ["truncated", "ok"] in result.replies.values()


def test_refusals_are_not_argued_with_and_empty_replies_are_drawn_again(runs: Runs) -> None:
    runs.server.set(FaultPlan(share_refusal=0.1, share_empty=0.1))
    result = runs.run(100)
    assert ["refused"] in result.replies.values()
    assert ["refused", "refused"] not in result.replies.values()
    assert ["empty", "empty"] in result.replies.values()


def test_another_model_than_the_one_asked_is_kept_with_its_name(runs: Runs) -> None:
    runs.server.set(FaultPlan(wrong_model_name="other-1"))
    runs.run(5)
    store = ReplyStore(Files(str(runs.folder / "objects")))
    replies = [store.get(key) for key in sorted(store.keys())]
    assert len(replies) == 5
    assert {(reply.request.model, reply.model_reported) for reply in replies if reply} == {("fake-1", "other-1")}


def test_a_reply_is_kept_as_received_with_all_that_is_known_of_it(runs: Runs) -> None:
    runs.prices = {"fake-1": Price(input=1.0, output=10.0, date="2026-01-01")}
    runs.server.set(FaultPlan(latency_seconds=LATENCY, share_500_once=1.0))
    result = runs.run(5)
    store = ReplyStore(Files(str(runs.folder / "objects")))
    replies = [reply for key in sorted(store.keys()) if (reply := store.get(key))]
    assert len(replies) == 5
    for reply in replies:
        body = json.loads(reply.body or "")
        assert (reply.finish_reason, reply.model_reported) == (body["choices"][0]["finish_reason"], body["model"])
        tokens = (body["usage"]["prompt_tokens"], body["usage"]["completion_tokens"])
        assert (reply.usage.prompt, reply.usage.completion) == tokens
        assert reply.usd == pytest.approx((tokens[0] + 10 * tokens[1]) / 1e6)
        assert (reply.price_date, reply.attempts) == ("2026-01-01", 2)
        assert LATENCY <= reply.latency_seconds <= result.seconds
        assert reply.provider_request_id is not None


def test_a_budget_is_never_passed_and_raising_it_goes_on(runs: Runs) -> None:
    runs.spec = runs.spec.model_copy(update={"parameters": runs.spec.parameters.model_copy(update={"max_tokens": 50})})
    runs.prices = {"fake-1": Price(input=100.0, output=500.0, date="2026-01-01")}
    runs.budget_usd = 1.0
    stopped = runs.run(ROWS)
    assert 0 < len(stopped.rows) < ROWS
    assert 0.9 <= spent(runs.folder) <= 1.0
    assert all(
        "budget of 1.0 US dollars" in error and "`budget_usd`" in error and "are left" in error
        for error in stopped.errors
    )
    requests = runs.requests()
    assert requests == len(stopped.rows)
    runs.budget_usd = 1000.0
    assert len(runs.run(ROWS).rows) == runs.requests() == ROWS
    runs.budget_usd = 1.0
    assert runs.run(ROWS).errors == []


def priced(runs: Runs, max_tokens: int = 50, timeout_seconds: float = 30.0) -> float:
    """Prices for the model; what the first row may cost at most, by its own entry in a ledger."""
    changed = {"parameters": runs.spec.parameters.model_copy(update={"max_tokens": max_tokens})}
    runs.spec = runs.spec.model_copy(update={**changed, "timeout_seconds": timeout_seconds})
    runs.prices = {"fake-1": Price(input=100.0, output=500.0, date="2026-01-01")}
    folder = runs.folder / "priced"
    runs.run(1, folder=folder)
    runs.server.reset()
    (entry,) = [entry for entry in entries(folder) if "worst_usd" in entry]
    return float(entry["worst_usd"])


@pytest.mark.parametrize("fault", ["share_reset_once", "share_unreadable_once", "share_slow_body"])
def test_what_broke_after_it_was_sent_counts_at_its_worst_case_and_is_told_apart(runs: Runs, fault: str) -> None:
    priced(runs, timeout_seconds=1.0)
    runs.server.set(FaultPlan(latency_seconds=0.05, slow_body_seconds=30, **{fault: 0.3}))
    runs.budget_usd = 2.0
    stopped = runs.run(100)
    assert spent(runs.folder) + maybe_billed(runs.folder) <= 2.0
    assert maybe_billed(runs.folder) > 0
    assert all("may have been billed without a reply" in error for error in stopped.errors)
    if fault == "share_slow_body":
        return
    runs.budget_usd = 1000.0
    assert len(runs.run(100).rows) == 100
    broken = runs.server.counts().faults[fault.removeprefix("share_")]
    assert len(unanswered(runs.folder)) == broken


def test_what_was_surely_not_answered_costs_nothing(runs: Runs) -> None:
    priced(runs)
    runs.budget_usd = 1000.0
    runs.server.set(
        FaultPlan(share_rate_limited_once=0.2, share_500_once=0.2, share_503_once=0.2, share_permanent_400=0.05)
    )
    assert len(runs.run(100).rows) == 100
    assert unanswered(runs.folder) == {}
    runs.spec = runs.spec.model_copy(update={"base_url": "http://127.0.0.1:9/v1"})
    assert "cannot be reached" in runs.run(20).errors[0]
    assert unanswered(runs.folder) == {}


def test_what_was_in_flight_at_a_kill_counts_in_the_next_run(runs: Runs, wait_for: Wait) -> None:
    worst = priced(runs)
    runs.server.set(FaultPlan(latency_seconds=60))
    runs.budget_usd = 8.5 * worst
    process = runs.start(200)
    wait_for(lambda: runs.requests() == 8, 30)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    runs.server.set(FaultPlan())
    stopped = runs.run(200)
    assert stopped.rows == {}
    assert f"up to {maybe_billed(runs.folder):.4f} may have been billed without a reply" in stopped.errors[0]
    assert maybe_billed(runs.folder) == pytest.approx(8 * worst, rel=0.01)
    assert runs.requests() == 8


@pytest.mark.parametrize("count", [1e30, 10**9, -1])
def test_numbers_of_tokens_that_cannot_be_true_are_priced_at_the_worst_case_and_flagged(
    runs: Runs, count: float | str
) -> None:
    worst = priced(runs)
    runs.server.set(FaultPlan(every_count=count))
    runs.budget_usd = 2.5 * worst
    result = runs.run(10)
    assert len(result.rows) == 2
    assert spent(runs.folder) == pytest.approx(2 * worst, rel=0.01)
    store = ReplyStore(Files(str(runs.folder / "objects")))
    usages = [reply.usage for key in sorted(store.keys()) if (reply := store.get(key))]
    assert [(usage.prompt, usage.completion, usage.doubtful) for usage in usages] == [(None, None, True)] * 2


def test_replaying_gives_the_same_rows_without_a_server(runs: Runs) -> None:
    first = runs.run(30)
    runs.spec = runs.spec.model_copy(update={"key_variable": "FAKE_KEY"})
    again = runs.run(30, replay=True)
    assert again.rows == first.rows
    absent = runs.run(31, replay=True)
    assert len(absent.rows) == 30
    assert "no stored reply" in absent.errors[0]
    assert runs.requests() == 30


def test_a_run_killed_at_20_moments_pays_for_nothing_twice_that_was_there_a_second_before(
    runs: Runs, tmp_path: Path, wait_for: Wait
) -> None:
    """Each start goes on where the killed one was. Most kills come when some replies are older than a second."""
    runs.spec = runs.spec.model_copy(update={"limits": Limits(concurrency=20)})
    runs.server.set(FaultPlan(latency_seconds=0.3))
    draw, kills = random.Random(3), list[float]()
    for _ in range(20):
        before = runs.server.counts().replies
        process = runs.start(2000)
        wait_for(lambda before=before: runs.server.counts().replies > before, 30)
        time.sleep(draw.uniform(0.8, 1.8))
        process.send_signal(signal.SIGKILL)
        kills.append(time.monotonic())
        process.communicate()
    runs.server.set(FaultPlan())
    rows = runs.run(2000).rows
    log = [entry for entry in runs.server.log() if entry.key]  # without the free questions for names
    old = list[set[str | None]]()
    for started, killed in zip([0.0, *kills], kills, strict=False):
        old.append(
            {entry.key for entry in log if entry.finished and started < entry.arrived and entry.finished < killed - 1}
        )
        assert old[-1].isdisjoint(entry.key for entry in log if entry.arrived > killed)
    assert sum(map(bool, old)) >= 14
    assert runs.server.counts().repeated <= len(kills) * runs.spec.limits.concurrency
    assert rows == runs.run(2000, folder=tmp_path / "unkilled").rows


def test_calls_on_their_way_are_stored_when_a_run_is_interrupted(runs: Runs, wait_for: Wait) -> None:
    runs.server.set(FaultPlan(latency_seconds=0.5))
    process = runs.start(200)
    wait_for(lambda: runs.server.counts().replies > 0, 30)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert len(runs.run(200).rows) == 200
    assert runs.server.counts().repeated <= runs.spec.limits.concurrency


def store_pictures(folder: Path, count: int, side: int) -> list[Picture]:
    """PNGs of noise, which cannot be made smaller: three bytes a pixel."""
    noise = np.random.default_rng(side)
    store = ObjectStore(f"{folder}/objects")
    blobs = [encode_png(noise.integers(0, 256, (side, side, 3), dtype=np.uint8)) for _ in range(count)]
    for blob in blobs:
        store.put(blob)
    return [blob.picture for blob in blobs]


def dumped(pictures: Sequence[Picture]) -> list[dict[str, Any]]:
    return [picture.model_dump() for picture in pictures]


def entries(folder: Path) -> list[dict[str, Any]]:
    """Of the ledger, as they stand in its files."""
    files = (folder / "spending").rglob("*.jsonl")
    return [json.loads(line) for path in files for line in path.read_text().splitlines()]


def spent(folder: Path) -> float:
    return sum(entry.get("usd", 0) for entry in entries(folder))


def unanswered(folder: Path) -> dict[str, float]:
    """What each request without a reply may have cost."""
    found = entries(folder)
    closed = {entry.get("attempt") or entry.get("released") for entry in found}
    return {entry["id"]: entry["worst_usd"] for entry in found if "worst_usd" in entry and entry["id"] not in closed}


def maybe_billed(folder: Path) -> float:
    return sum(unanswered(folder).values())


def holders_of(word: str, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("folder", "build"),
    [("data", "build"), ("data", "other"), ("elsewhere", "build")],
    ids=["same build", "another build", "another data folder"],
)
def test_two_processes_at_once_lose_no_row_and_share_what_is_stored(runs: Runs, folder: str, build: str) -> None:
    objects = str(runs.folder / "objects")
    places = {(runs.folder / "data", "build"), (runs.folder / folder, build)}
    processes = [
        runs.start(300, folder=runs.folder / "data", build="build", objects=objects),
        runs.start(300, folder=runs.folder / folder, build=build, objects=objects),
    ]
    output = [process.communicate(timeout=120) for process in processes]
    results = [Result(**json.loads(out)) for out, _ in output]
    assert results[0].rows == results[1].rows
    assert len(results[0].rows) == 300
    assert any("Another process uses this reply store" in errors for _, errors in output)
    assert runs.server.counts().repeated <= runs.spec.limits.concurrency
    stored = list(ReplyStore(Files(objects)).keys())
    paid = [payment.key for place, name in places for payment in Ledger(place / "spending" / name).payments()]
    assert (len(stored), len(paid)) == (300, runs.requests())
    assert set(paid) == set(stored)


def test_a_disk_that_is_full_stops_the_sending_and_the_next_run_goes_on(runs: Runs, wait_for: Wait) -> None:
    temporary = runs.folder / "objects" / TEMPORARY_FOLDER
    process = runs.start(ROWS)
    wait_for(lambda: runs.server.counts().replies > 20, 30)
    while not temporary.is_file():  # a writer may make the folder again between the two
        temporary.rename(runs.folder / f"away{time.monotonic_ns()}")
        with contextlib.suppress(IsADirectoryError):
            temporary.write_bytes(b"")
    before = runs.requests()
    stopped = Result(**json.loads(process.communicate(timeout=60)[0]))
    assert any("could not be kept, so nothing more is sent" in error for error in stopped.errors)
    assert all("Free space" in error for error in stopped.errors)
    assert 0 < len(stopped.rows) < ROWS
    assert runs.requests() <= before + 2 * runs.spec.limits.concurrency
    temporary.unlink()
    assert len(runs.run(ROWS).rows) == ROWS
    assert runs.requests() <= ROWS + 3 * runs.spec.limits.concurrency
