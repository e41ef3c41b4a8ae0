import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from models.health import LineHealth

Run = Callable[[Coroutine[Any, Any, list[bool | None]]], list[bool | None]]


async def refuse(health: LineHealth, times: int, answered_since: int | None = None) -> list[bool | None]:
    """So many of the active requests are refused, and one that was sent after `answered_since` refusals is answered.
    The verdict on each, None where there is none yet."""
    tasks = [asyncio.create_task(health.is_bad_row()) for _ in range(times)]
    await asyncio.sleep(0.01)
    if answered_since is not None:
        health.replied(answered_since)
        await asyncio.sleep(0.01)
    verdicts = [task.result() if task.done() else None for task in tasks]
    for task in tasks:
        task.cancel()
    return verdicts


def make_health(active: int, replies: int = 0, known: bool = False) -> LineHealth:
    health = LineHealth(known)
    for _ in range(active):
        health.begin()
    for _ in range(replies):
        health.replied(0)
    return health


def test_a_refusal_is_of_a_bad_row_when_a_later_request_is_answered(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(50, replies=1), 3, answered_since=3)) == [True] * 3


def test_the_answer_to_an_earlier_request_proves_nothing(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(50, replies=1), 3, answered_since=1)) == [True, None, None]


def test_any_number_of_refusals_waits_while_others_are_asked(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(50, replies=1), 40)) == [None] * 40


def test_a_model_that_refuses_all_that_is_left_is_to_blame(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(10, replies=100), 10)) == [False] * 10


def test_a_few_refusals_at_the_end_are_of_bad_rows(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(9, replies=100), 9)) == [True] * 9


def test_a_few_refusals_again_and_again_are_many(run_in_no_time: Run) -> None:
    health = make_health(5, replies=100)
    assert run_in_no_time(refuse(health, 5)) == [True] * 5
    assert run_in_no_time(refuse(health, 5)) == [False] * 5
    health.replied(health.refusals)
    assert run_in_no_time(refuse(health, 5)) == [True] * 5


def test_before_any_answer_ten_refusals_are_enough(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(50), 9)) == [None] * 9
    assert run_in_no_time(refuse(make_health(50), 10)) == [False] * 10


def test_a_model_that_answered_in_an_earlier_run_may_refuse_the_two_rows_that_are_left(run_in_no_time: Run) -> None:
    assert run_in_no_time(refuse(make_health(2, known=True), 2)) == [True] * 2
    assert run_in_no_time(refuse(make_health(3, known=True), 3)) == [False] * 3
    assert run_in_no_time(refuse(make_health(2), 2)) == [False] * 2
