"""Money: reserved, settled, remembered across processes, and never passed."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from models.budget import Budget, BudgetExhaustedError
from models.ledger import Ledger, Payment

Run = Callable[[Coroutine[Any, Any, Any]], Any]


def pay(ledger: Ledger, usd: float, key: str = "k") -> None:
    ledger.add(Payment(key=key, usd=usd, model="m", time="2026-01-01T00:00:00"))


async def call(budget: Budget, ledger: Ledger, worst: float, cost: float) -> None:
    await budget.reserve(worst)
    await asyncio.sleep(1)
    pay(ledger, cost)
    budget.settle(worst)


def test_no_limit_lets_all_through(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)

    async def ask() -> float:
        await asyncio.gather(*(call(Budget(None, ledger), ledger, 1e9, 1) for _ in range(5)))
        return asyncio.get_running_loop().time()

    assert run_in_no_time(ask()) == 1


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_order_and_the_cost_the_limit_is_not_passed(
    run_in_no_time: Run, tmp_path: Path, seed: int
) -> None:
    ledger, draw = Ledger(tmp_path), random.Random(seed)
    budget = Budget(1.0, ledger)

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
    budget = Budget(1.0, ledger)

    async def ask() -> float:
        await asyncio.gather(*(call(budget, ledger, 0.6, 0.1) for _ in range(4)))
        return asyncio.get_running_loop().time()

    assert run_in_no_time(ask()) == 4
    assert ledger.spent() == pytest.approx(0.4)


def test_the_message_says_what_is_spent_what_is_left_and_what_to_raise(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    pay(ledger, 0.25)
    with pytest.raises(BudgetExhaustedError, match=r"0\.2500 are spent, 0\.7500 are left.*0\.9000.*`budget_usd`"):
        run_in_no_time(Budget(1.0, ledger).reserve(0.9))


def test_a_cancelled_call_gives_back_what_it_waited_for(run_in_no_time: Run, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    budget = Budget(1.0, ledger)

    async def ask() -> None:
        await budget.reserve(0.9)
        waiting = asyncio.create_task(budget.reserve(0.9))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        budget.settle(0.9)
        await budget.reserve(1.0)

    run_in_no_time(ask())


def test_what_others_spent_counts(run_in_no_time: Run, tmp_path: Path) -> None:
    earlier, ledger = Ledger(tmp_path), Ledger(tmp_path)
    pay(earlier, 0.7)
    with pytest.raises(BudgetExhaustedError):
        run_in_no_time(Budget(1.0, ledger).reserve(0.5))


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
