"""Money: reserved, settled, remembered across processes, and never passed."""

import asyncio
import random
import resource
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelCallError, StorageError
from models.base import CallError, FailureKind, MaybeSentError
from models.budget import Budget, BudgetExhaustedError
from models.ledger import Ledger
from models.payments import Attempt, Payment

Run = Callable[[Coroutine[Any, Any, Any]], Any]
FILE = "my.yaml"


def pay(ledger: Ledger, usd: float, key: str = "k") -> None:
    ledger.add(Payment(key=key, usd=usd, model="m", time="2026-01-01T00:00:00"))


def attempt(ledger: Ledger, usd: float, key: str = "k", batch: bool = False) -> Attempt:
    return ledger.make_attempt(key, usd, "m", batch, "2026-01-01T00:00:00")


async def call(budget: Budget, ledger: Ledger, worst: float, cost: float | BaseException) -> None:
    """`cost` is what the reply costs, or how the call fails."""
    sent = attempt(ledger, worst)
    await budget.reserve(sent)
    try:
        with budget.freed_unless_billed(sent):
            await asyncio.sleep(1)
            if isinstance(cost, BaseException):
                raise cost
        ledger.add(Payment(key="k", usd=cost, model="m", time=sent.time, attempt=sent.id))
    finally:
        budget.settle()


def test_no_limit_lets_all_through(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)

    async def ask() -> float:
        await asyncio.gather(*(call(Budget(None, ledger, FILE), ledger, 1e9, 1) for _ in range(5)))
        return asyncio.get_running_loop().time()

    assert run_in_no_time(ask()) == 1


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_order_and_the_cost_the_limit_is_not_passed(
    run_in_no_time: Run, tmp_path: Path, seed: int
) -> None:
    ledger, draw = Ledger(tmp_path), random.Random(seed)
    budget = Budget(1.0, ledger, FILE)

    async def ask() -> list[BaseException | None]:
        asks = [call(budget, ledger, worst := draw.uniform(0, 0.1), worst * draw.random()) for _ in range(200)]
        return await asyncio.gather(*asks, return_exceptions=True)

    results = run_in_no_time(ask())
    refused = [result for result in results if result is not None]
    assert refused
    assert all(isinstance(error, BudgetExhaustedError) for error in refused)
    assert 0.85 <= ledger.spent() <= 1.0


def test_a_call_waits_for_the_money_that_others_reserved_and_did_not_need(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    budget = Budget(1.0, ledger, FILE)

    async def ask() -> float:
        await asyncio.gather(*(call(budget, ledger, 0.6, 0.1) for _ in range(4)))
        return asyncio.get_running_loop().time()

    assert run_in_no_time(ask()) == 4
    assert ledger.spent() == pytest.approx(0.4)


def test_the_message_says_what_is_spent_what_is_left_and_what_to_raise(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    pay(ledger, 0.25)
    ledger.open(attempt(ledger, 0.125))
    told = r"0\.2500 are spent, up to 0\.1250 may have been billed without a reply, 0\.6250 are left.*0\.9.*in my\.yaml"
    with pytest.raises(BudgetExhaustedError, match=told):
        run_in_no_time(Budget(1.0, ledger, FILE).reserve(attempt(ledger, 0.9)))


def test_a_cancelled_call_gives_back_what_it_waited_for(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    budget = Budget(1.0, ledger, FILE)

    async def ask() -> None:
        first = attempt(ledger, 0.9)
        await budget.reserve(first)
        waiting = asyncio.create_task(budget.reserve(attempt(ledger, 0.9)))
        await asyncio.sleep(0)
        ledger.release(first)
        budget.settle()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await budget.reserve(attempt(ledger, 1.0))

    run_in_no_time(ask())


def test_what_others_spent_counts(run_in_no_time: Run, tmp_path: Path) -> None:
    earlier, ledger = Ledger(tmp_path), Ledger(tmp_path)
    pay(earlier, 0.7)
    with pytest.raises(BudgetExhaustedError):
        run_in_no_time(Budget(1.0, ledger, FILE).reserve(attempt(ledger, 0.5)))


RESET = CallError(FailureKind.TEMPORARY, "reset", maybe_billed=True)
REFUSED = CallError(FailureKind.RATE, "429", http_status=429)


@pytest.mark.parametrize(
    ("failure", "kept"),
    [
        (RESET, 0.4),
        (MaybeSentError("lost", "again"), 0.4),
        (asyncio.CancelledError(), 0.4),
        (REFUSED, 0.0),
        (ModelCallError("no batches", "set"), 0.0),
        (StorageError("no picture", "set"), 0.0),
    ],
    ids=["reset", "lost_batch", "cancelled", "429", "refused_batch", "unread_picture"],
)
def test_a_failed_call_keeps_its_worst_case_exactly_where_it_may_be_billed(
    run_in_no_time: Run, tmp_path: Path, failure: BaseException, kept: float
) -> None:
    ledger = Ledger(tmp_path)
    with pytest.raises(type(failure)):
        run_in_no_time(call(Budget(1.0, ledger, FILE), ledger, 0.4, failure))
    for reader in (ledger, Ledger(tmp_path)):
        assert (reader.spent(), reader.unanswered()) == (0, kept)
        assert [found.worst_usd for found in reader.attempts()] == ([kept] if kept else [])


@pytest.mark.parametrize("seed", range(5))
def test_with_replies_that_never_come_the_limit_is_not_passed_either(
    run_in_no_time: Run, tmp_path: Path, seed: int
) -> None:
    ledger, draw = Ledger(tmp_path), random.Random(seed)
    budget = Budget(1.0, ledger, FILE)

    async def ask() -> None:
        asks = [
            call(budget, ledger, worst := draw.uniform(0, 0.1), draw.choice([RESET, REFUSED, worst * draw.random()]))
            for _ in range(200)
        ]
        await asyncio.gather(*asks, return_exceptions=True)

    run_in_no_time(ask())
    later = Ledger(tmp_path)
    assert later.unanswered() > 0
    assert later.unanswered() == pytest.approx(ledger.unanswered())
    assert 0.85 <= later.spent() + later.unanswered() <= 1.0 + 1e-9


def test_a_call_that_was_in_flight_at_a_kill_counts_in_the_next_run(run_in_no_time: Run, tmp_path: Path) -> None:
    killed, later = Ledger(tmp_path), Ledger(tmp_path)
    run_in_no_time(Budget(1.0, killed, FILE).reserve(attempt(killed, 0.7)))
    with pytest.raises(BudgetExhaustedError, match=r"0\.0000 are spent, up to 0\.7000"):
        run_in_no_time(Budget(1.0, later, FILE).reserve(attempt(later, 0.5)))


def test_a_batch_that_was_under_way_at_a_kill_is_reserved_once_and_closed_by_the_run_that_finds_it(
    run_in_no_time: Run, tmp_path: Path
) -> None:
    killed, later = Ledger(tmp_path), Ledger(tmp_path)
    run_in_no_time(Budget(1.0, killed, FILE).reserve(attempt(killed, 0.7, batch=True)))
    found = attempt(later, 0.7, batch=True)
    run_in_no_time(Budget(1.0, later, FILE).reserve(found))
    assert later.unanswered() == 0.7
    later.add(Payment(key="k", usd=0.1, model="m", time=found.time, attempt=found.id))
    for reader in (later, Ledger(tmp_path)):
        assert (reader.spent(), reader.unanswered()) == (0.1, 0.0)


def test_an_attempt_whose_batch_is_lost_or_was_followed_by_a_single_request_does_not_go_on(tmp_path: Path) -> None:
    killed, later = Ledger(tmp_path), Ledger(tmp_path)
    in_batch = [attempt(killed, 0.7, key, batch=True) for key in ("lost", "apart")]
    for one in (*in_batch, attempt(killed, 0.9, "apart")):
        killed.open(one)
    again = [
        later.make_attempt("lost", 0.7, "m", batch=True, time="", lost=True),
        later.make_attempt("apart", 0.7, "m", batch=True, time=""),
    ]
    assert {one.id for one in again}.isdisjoint(one.id for one in in_batch)


def test_attempts_that_all_came_to_an_end_leave_no_fraction_of_a_cent(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    sent = [Attempt(id=str(at), key="k", worst_usd=usd, model="m", time="") for at, usd in enumerate((0.1, 0.2, 0.3))]
    for one in sent:
        ledger.open(one)
    for one in sent:
        ledger.release(one)
    assert ledger.unanswered() == Ledger(tmp_path).unanswered() == 0


def test_a_ledger_of_payments_alone_is_read_as_before(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text('{"key":"k","usd":0.5,"model":"m","time":"2026-01-01T00:00:00"}\n')
    assert (Ledger(tmp_path).spent(), Ledger(tmp_path).unanswered()) == (0.5, 0.0)


def test_the_ledger_sums_all_processes_and_counts_a_reply_paid_twice_twice(tmp_path: Path) -> None:
    one, other = Ledger(tmp_path / "build"), Ledger(tmp_path / "build")
    assert one.spent() == 0
    pay(one, 0.1, key="a")
    pay(other, 0.2, key="a")
    pay(other, 0.3, key="b")
    assert one.spent() == pytest.approx(0.6)
    assert Ledger(tmp_path / "build").spent() == pytest.approx(0.6)
    pay(one, 1.0)
    assert other.spent() == pytest.approx(1.6)
    assert sorted((payment.key, payment.usd) for payment in one.payments()) == [
        ("a", 0.1),
        ("a", 0.2),
        ("b", 0.3),
        ("k", 1.0),
    ]


def test_a_line_cut_by_a_kill_is_left_out_and_read_when_it_is_whole(tmp_path: Path) -> None:
    pay(Ledger(tmp_path), 0.5)
    (path,) = tmp_path.glob("*.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:-10])
    reader = Ledger(tmp_path)
    assert reader.spent() == 0.5
    path.write_bytes(whole + whole)
    assert reader.spent() == 1.0


def test_a_disk_that_fills_in_the_middle_of_a_line_spoils_no_other_line(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    pay(ledger, 0.1, key="a")
    (path,) = tmp_path.glob("*.jsonl")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 20, limits[1]))
    try:
        with pytest.raises(StorageError, match="cannot be written: File too large"):
            pay(ledger, 0.2, key="b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    pay(ledger, 0.3, key="c")
    assert [payment.key for payment in Ledger(tmp_path).payments()] == ["a", "c"]
    assert ledger.spent() == pytest.approx(0.6)
