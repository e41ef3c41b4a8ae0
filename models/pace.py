"""Who may call one model next: waits for the limits of the account, the learned pace and a free place, in the order of
asking, but with what is tried again before what is new. Each model has its own, so that none idles for another."""

import asyncio
import random
from collections import deque

from core.model_specs import Limits
from models.limits import LearnedPace, TokenBucket

_BURST_SECONDS = 1.0


class Pace:
    """Belongs to one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.learned = LearnedPace(limits.concurrency)
        self._requests = _bucket(limits.requests_per_minute, fewest=1.0)
        self._tokens = _bucket(limits.tokens_per_minute, fewest=0.0)
        self._in_flight = 0
        self._waiting: deque[tuple[float, asyncio.Future[None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._jitter = random.Random()
        self._stopped: Exception | None = None

    async def enter(self, tokens: float, urgent: bool) -> None:
        """Waits for a place and takes it, with `tokens` expected. Raises what `stop` was given."""
        if self._stopped:
            raise self._stopped
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._waiting.appendleft if urgent else self._waiting.append)((tokens, future))
        self._pump()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self.leave()
            raise

    def leave(self) -> None:
        """Gives the place back."""
        self._in_flight -= 1
        self._pump()

    def replied(self, tokens_more: float) -> None:
        """A reply came; it took so many tokens more than was expected."""
        self.learned.replied()
        if self._tokens:
            self._tokens.take(_now(), tokens_more)

    def limited(self, retry_after: float | None) -> None:
        """A 429 came."""
        self.learned.limited(_now(), retry_after, self._jitter.random())

    def stop(self, error: Exception) -> None:
        """All who wait, and all who come, get the error."""
        self._stopped = error
        while self._waiting:
            _, future = self._waiting.popleft()
            if not future.done():
                future.set_exception(error)

    def _pump(self) -> None:
        while self._waiting and self._in_flight < int(self.learned.concurrency):
            tokens, future = self._waiting[0]
            if not future.done():
                now = _now()
                seconds = self._wait(now, tokens)
                if seconds > 0:
                    self._wake_in(seconds)
                    return
                self._take(now, tokens)
                future.set_result(None)
            self._waiting.popleft()

    def _wait(self, now: float, tokens: float) -> float:
        seconds = self.learned.wait(now)
        if self._requests:
            seconds = max(seconds, self._requests.wait(now, 1))
        if self._tokens:
            seconds = max(seconds, self._tokens.wait(now, tokens))
        return seconds

    def _take(self, now: float, tokens: float) -> None:
        self._in_flight += 1
        self.learned.sent(now)
        if self._requests:
            self._requests.take(now, 1)
        if self._tokens:
            self._tokens.take(now, tokens)

    def _wake_in(self, seconds: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._pump)


def _bucket(per_minute: float | None, fewest: float) -> TokenBucket | None:
    if per_minute is None:
        return None
    return TokenBucket(per_minute / 60, max(fewest, per_minute / 60 * _BURST_SECONDS))


def _now() -> float:
    return asyncio.get_running_loop().time()
