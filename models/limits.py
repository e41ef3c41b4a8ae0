"""How fast one model may be asked: the limits that its account is known to have, and those that its 429 replies teach.
Pure arithmetic on times in seconds; the waiting is done in `models.pace`."""

import math
from collections import deque
from dataclasses import dataclass


class TokenBucket:
    """`per_second` units flow in, at most `burst` are held. What was used more than expected is owed."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._held = burst
        self._at = 0.0

    def wait(self, now: float, amount: float) -> float:
        """Seconds until that much is there, 0 when it is; an amount above the burst waits for a full bucket."""
        missing = min(amount, self._burst) - self._level(now)
        return max(0.0, missing / self._per_second)

    def take(self, now: float, amount: float) -> None:
        self._held = self._level(now) - amount
        self._at = now

    def _level(self, now: float) -> float:
        return min(self._burst, self._held + max(0.0, now - self._at) * self._per_second)


_START = 10.0
_RAMP = 2.0
"""Places that one reply adds while nothing is known: three times as many calls after each round trip."""
_RECOVERY = 0.25
"""The same after a cut."""
_NOISE = 0.055
"""Share of 429 that a provider may send without meaning the pace; more is a limit."""
_WINDOW_SECONDS = 1.0
_WINDOW_SENT = 40
_FEWEST = 3
_BETWEEN_CUTS = 0.5
_CUT = 0.08
_PLATEAU_SECONDS = 4.0
_FORGET_SECONDS = 5 * _PLATEAU_SECONDS
_SLOWEST = 1 / 60
_LONGEST_PAUSE = 300.0


@dataclass(frozen=True, slots=True)
class _Ceiling:
    """The rate in calls a second at which a limit was met, from the end of the pause on."""

    rate: float
    since: float


class LearnedPace:
    """Finds how fast and how many at once from 429 replies alone. The cut is as deep as the share of 429 (as in DCTCP),
    and the rate returns to the last limit fast, stays near it and then leaves it faster and faster (as in CUBIC): few
    429 at a true limit, and soon away from a false one. One 429 among many good replies is noise and changes nothing.

    `jitter` in 0..1 spreads the ends of pauses without a Retry-After."""

    def __init__(self, most_concurrent: int) -> None:
        self.concurrency = min(_START, float(most_concurrent))
        self.paused_until = 0.0
        self._most = most_concurrent
        self._ceiling: _Ceiling | None = None
        self._next = 0.0
        self._sent: deque[float] = deque()
        self._limited: deque[float] = deque()
        self._cut_at = -math.inf
        self._cuts_without_reply = 0

    def wait(self, now: float) -> float:
        """Seconds until the next call may be sent, places apart."""
        return max(0.0, self.paused_until - now, (self._next - now) if self.rate(now) else 0.0)

    def rate(self, now: float) -> float | None:
        """Calls a second, None while no limit is known."""
        if self._ceiling is None:
            return None
        seconds = now - self._ceiling.since
        if seconds > _FORGET_SECONDS:
            self._ceiling = None
            return None
        return self._ceiling.rate * (1 + _CUT * (max(0.0, seconds) / _PLATEAU_SECONDS - 1) ** 3)

    def sent(self, now: float) -> None:
        self._sent.append(now)
        while len(self._sent) > _WINDOW_SENT and now - self._sent[0] > _WINDOW_SECONDS:
            self._sent.popleft()
        rate = self.rate(now)
        if rate:
            self._next = max(self._next, now - 0.05) + 1 / rate

    def replied(self) -> None:
        self._cuts_without_reply = 0
        gained = _RAMP if self._ceiling is None and self._cut_at < 0 else _RECOVERY
        self.concurrency = min(float(self._most), self.concurrency + gained)

    def limited(self, now: float, retry_after: float | None, jitter: float) -> None:
        """A 429 came."""
        self._limited.append(now)
        while self._limited and self._sent and self._limited[0] < self._sent[0]:
            self._limited.popleft()
        if now - self._cut_at < _BETWEEN_CUTS or not self._is_a_limit():
            return
        share = min(1.0, len(self._limited) / max(1, len(self._sent)))
        pause = retry_after if retry_after is not None else share * (1 + jitter) * 2**self._cuts_without_reply / 2
        self.paused_until = max(self.paused_until, now + min(pause, _LONGEST_PAUSE))
        self._ceiling = _Ceiling(max(_SLOWEST, self._used_rate(now) * (1 - share) * (1 + _CUT / 2)), self.paused_until)
        self._next = self.paused_until
        self.concurrency = max(1.0, self.concurrency * (1 - share))
        self._cut_at = now
        self._cuts_without_reply += 1
        self._sent.clear()
        self._limited.clear()

    def _is_a_limit(self) -> bool:
        """More than noise: by one standard deviation where a limit is known, else by two."""
        expected = _NOISE * max(len(self._sent), 20)
        deviations = 2 if self._ceiling is None else 1
        return len(self._limited) >= max(_FEWEST, expected + deviations * math.sqrt(expected))

    def _used_rate(self, now: float) -> float:
        span = now - self._sent[0] if self._sent else 0.0
        measured = len(self._sent) / max(_WINDOW_SECONDS, span)
        known = self.rate(now)
        if known is None:
            return measured
        return min(known, measured) if span >= _WINDOW_SECONDS else known
