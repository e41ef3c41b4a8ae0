"""How fast models are asked, against servers that turn calls away, in made-up time."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from core.model_specs import Limits
from models.pace import Pace

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass
class Server:
    """`per_second` with a burst of one second's worth; `noise`: share of rows that get one 429 whatever the pace;
    `most_open`: calls at a time."""

    latency: float = 0.1
    per_second: float | None = None
    noise: float = 0.0
    most_open: int | None = None
    retry_after: float | None = None
    seed: int = 0
    sent: int = 0
    peak: int = 0
    times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._draw = random.Random(self.seed)
        self._held, self._at, self._open = self.per_second or 0.0, 0.0, 0
        self._seen: set[int] = set()

    async def ask(self, row: int) -> bool:
        now = asyncio.get_running_loop().time()
        self.sent += 1
        self.times.append(now)
        turned_away = not self._has_room(now) or self._is_noise(row)
        if turned_away:
            await asyncio.sleep(self._draw.uniform(0, 0.03))
            return False
        self._open += 1
        self.peak = max(self.peak, self._open)
        await asyncio.sleep(self.latency * self._draw.uniform(0.7, 1.3))
        self._open -= 1
        return True

    def _has_room(self, now: float) -> bool:
        if self.most_open is not None and self._open >= self.most_open:
            return False
        if self.per_second is None:
            return True
        self._held = min(self.per_second, self._held + (now - self._at) * self.per_second)
        self._at = now
        if self._held < 1:
            return False
        self._held -= 1
        return True

    def _is_noise(self, row: int) -> bool:
        first = row not in self._seen
        self._seen.add(row)
        return first and self._draw.random() < self.noise


class Course(NamedTuple):
    seconds: float
    most_attempts: int


async def ask_all(server: Server, rows: int, limits: Limits) -> Course:
    """As the sender does it, with its pauses between attempts."""
    pace, most = Pace(limits), 0

    async def ask(row: int) -> None:
        nonlocal most
        attempt = 1
        while True:
            await pace.enter(0, urgent=attempt > 1)
            done = await server.ask(row)
            if done:
                pace.replied(0)
            else:
                pace.limited(server.retry_after)
            pace.leave()
            most = max(most, attempt)
            if done:
                return
            await asyncio.sleep(max(server.retry_after or 0, min(60, 0.075 * 5 ** (attempt - 1))))
            attempt += 1

    await asyncio.gather(*(ask(row) for row in range(rows)))
    return Course(asyncio.get_running_loop().time(), most)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("latency", [0.02, 0.2, 1.0])
@pytest.mark.parametrize("retry_after", [None, 0.05, 1.0])
def test_a_limit_is_found_with_few_calls_turned_away(
    run_in_no_time: Run, retry_after: float | None, latency: float, seed: int
) -> None:
    server = Server(latency, per_second=20, retry_after=retry_after, seed=seed)
    course = run_in_no_time(ask_all(server, 600, Limits(concurrency=50)))
    assert server.sent <= 1.1 * 600
    assert course.seconds <= 1.2 * 600 / 20
    assert course.most_attempts <= 5


@pytest.mark.parametrize("seed", range(4))
def test_single_429_do_not_slow_the_others(run_in_no_time: Run, seed: int) -> None:
    quiet = run_in_no_time(ask_all(Server(seed=seed), 2000, Limits(concurrency=50)))
    noisy = Server(noise=0.05, seed=seed)
    course = run_in_no_time(ask_all(noisy, 2000, Limits(concurrency=50)))
    assert course.seconds <= 1.3 * quiet.seconds
    assert course.most_attempts == 2


def test_a_provider_that_turns_a_tenth_away_at_random_does_not_stop_a_run(run_in_no_time: Run) -> None:
    course = run_in_no_time(ask_all(Server(noise=0.1), 5000, Limits(concurrency=50)))
    assert course.seconds <= 10 * 5000 / 50 * 0.1


def test_a_limit_of_calls_at_a_time_is_found(run_in_no_time: Run) -> None:
    server = Server(latency=1.0, most_open=10)
    course = run_in_no_time(ask_all(server, 600, Limits(concurrency=50)))
    assert server.sent <= 1.2 * 600
    assert course.seconds <= 1.5 * 600 / 10


def test_no_more_calls_are_open_than_allowed_and_all_places_are_used(run_in_no_time: Run) -> None:
    server = Server(latency=0.5)
    run_in_no_time(ask_all(server, 500, Limits(concurrency=32)))
    assert server.peak == 32


def test_known_limits_of_the_account_are_kept_without_a_single_429(run_in_no_time: Run) -> None:
    server = Server(per_second=10)
    course = run_in_no_time(ask_all(server, 300, Limits(concurrency=50, requests_per_minute=590)))
    assert server.sent == 300
    assert 28 <= course.seconds <= 32


def test_tokens_a_minute_are_kept_with_what_the_calls_really_took(run_in_no_time: Run) -> None:
    async def ask_one_after_another() -> float:
        pace = Pace(Limits(tokens_per_minute=6000))
        for _ in range(60):
            await pace.enter(100, urgent=False)
            pace.replied(100)
            pace.leave()
        return asyncio.get_running_loop().time()

    assert run_in_no_time(ask_one_after_another()) == pytest.approx(60 * 200 / 100, abs=5)


def test_a_retry_after_holds_for_the_whole_model_and_for_no_other(run_in_no_time: Run) -> None:
    async def ask_both() -> tuple[list[float], list[float]]:
        limited, other = Server(per_second=1, retry_after=30), Server()
        await asyncio.gather(ask_all(limited, 30, Limits()), ask_all(other, 300, Limits()))
        return limited.times, other.times

    limited, other = run_in_no_time(ask_both())
    assert max(other) < 10
    first_cut = min(time for time in limited if time > 0.5)
    assert first_cut >= 30


def test_what_is_tried_again_goes_before_what_is_new(run_in_no_time: Run) -> None:
    order: list[str] = []

    async def enter(pace: Pace, name: str, urgent: bool) -> None:
        await pace.enter(0, urgent)
        order.append(name)
        pace.leave()

    async def ask() -> None:
        pace = Pace(Limits(concurrency=1))
        await pace.enter(0, urgent=False)
        waiting = [asyncio.create_task(enter(pace, f"new{number}", urgent=False)) for number in range(3)]
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(enter(pace, "again", urgent=True)))
        await asyncio.sleep(0)
        pace.leave()
        await asyncio.gather(*waiting)

    run_in_no_time(ask())
    assert order == ["again", "new0", "new1", "new2"]


def test_who_is_cancelled_while_waiting_takes_no_place(run_in_no_time: Run) -> None:
    async def ask() -> None:
        pace = Pace(Limits(concurrency=1))
        await pace.enter(0, urgent=False)
        waiting = asyncio.create_task(pace.enter(0, urgent=False))
        await asyncio.sleep(0)
        waiting.cancel()
        pace.leave()
        await asyncio.wait_for(pace.enter(0, urgent=False), 1)

    run_in_no_time(ask())


def test_a_stop_reaches_all_who_wait_and_all_who_come(run_in_no_time: Run) -> None:
    async def ask() -> list[BaseException | None]:
        pace = Pace(Limits(concurrency=1))
        await pace.enter(0, urgent=False)
        waiting = [asyncio.create_task(pace.enter(0, urgent=False)) for _ in range(3)]
        await asyncio.sleep(0)
        pace.stop(ValueError("stopped"))
        return await asyncio.gather(*waiting, pace.enter(0, urgent=True), return_exceptions=True)

    assert [str(error) for error in run_in_no_time(ask())] == ["stopped"] * 4
