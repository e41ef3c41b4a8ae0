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
"""Places that one reply adds while no limit is known: three times as many calls after each round trip."""
_RECOVERY = 0.25
"""The same after a cut."""
_NOISE = 0.055
"""Share of 429 that a provider may send whatever the pace; what is clearly more is a limit."""
_MOST_NOISE = 0.2
_WINDOW_SECONDS = 1.0
_WINDOW_SENT = 200
_FEWEST_SENT = 20
_BETWEEN_CUTS = 0.5
_CUT = 0.08
_SHORTEST_PLATEAU = 3.0
_LONGEST_PLATEAU = 10.0
_PLATEAU_SENT = 100
_PLATEAU_PAUSES = 6.0
_FORGET_PLATEAUS = 5.0
_CALM = 0.97
_CALM_SENT = 100
_NOISE_MARGIN = 1.2
_CATCH_UP_SECONDS = 0.05
_SLOWEST = 1 / 60
_LONGEST_PAUSE = 300.0


@dataclass(frozen=True, slots=True)
class _Ceiling:
    """The calls a second at which a limit was met. The pace comes back to it `plateau` seconds after `since`."""

    rate: float
    since: float
    plateau: float

    def rate_at(self, now: float) -> float | None:
        """None when the limit was not met again for long."""
        plateaus = max(0.0, now - self.since) / self.plateau
        return self.rate * (1 + _CUT * (plateaus - 1) ** 3) if plateaus < _FORGET_PLATEAUS else None


class LearnedPace:
    """Finds how many calls a second and how many at once a provider takes from its 429 replies alone.

    One 429 among many replies is noise and changes nothing but the row that got it. Clearly more is a limit: the cut is
    as deep as the share of 429 (as in DCTCP); then the rate returns to the limit fast, stays near it for a while and
    leaves it faster and faster (as in CUBIC), so that a true limit is touched seldom and a false one forgotten. What
    share is noise is learned below a known limit, where the pace cannot be the cause."""

    def __init__(self, most_concurrent: int) -> None:
        self.concurrency = min(_START, float(most_concurrent))
        self._most = most_concurrent
        self._gain = _RAMP
        self._noise = _NOISE
        self._ceiling: _Ceiling | None = None
        self._paused_until = 0.0
        self._next = 0.0
        self._sent: deque[float] = deque()
        self._limited: deque[float] = deque()
        self._cut_at = -math.inf
        self._cuts_without_reply = 0
        self._calm_sent = 0
        self._calm_limited = 0
        self._was_calm = False

    def wait(self, now: float) -> float:
        """Seconds until the next call may be sent, if there is a place for it."""
        return max(0.0, self._paused_until - now, self._next - now if self.rate(now) else 0.0)

    def rate(self, now: float) -> float | None:
        """Calls a second, None while no limit is known."""
        rate = self._ceiling.rate_at(now) if self._ceiling else None
        if rate is None:
            self._ceiling = None
        return rate

    def sent(self, now: float) -> None:
        self._sent.append(now)
        while len(self._sent) > _WINDOW_SENT and now - self._sent[0] > _WINDOW_SECONDS:
            self._sent.popleft()
        rate = self.rate(now)
        if rate:
            self._next = max(self._next, now - _CATCH_UP_SECONDS) + 1 / rate
            self._learn_noise(now)

    def replied(self) -> None:
        self._cuts_without_reply = 0
        self.concurrency = min(float(self._most), self.concurrency + self._gain)

    def limited(self, now: float, retry_after: float | None, jitter: float) -> None:
        """A 429 came. `jitter` in 0..1 spreads the ends of pauses that the provider does not ask for."""
        self._limited.append(now)
        self._calm_limited += self._is_calm(now)
        while self._sent and self._limited[0] < self._sent[0]:
            self._limited.popleft()
            if not self._limited:
                return
        if now - self._cut_at >= _BETWEEN_CUTS and self._is_a_limit(now):
            share = min(1.0, len(self._limited) / max(1, len(self._sent)))
            pause = retry_after if retry_after is not None else share * (0.5 + jitter / 2) * 2**self._cuts_without_reply
            self._cut(now, share, min(pause, _LONGEST_PAUSE))

    def _cut(self, now: float, share: float, pause: float) -> None:
        rate = max(_SLOWEST, self._used_rate(now) * (1 - share) * (1 + _CUT / 2))
        self._paused_until = self._next = max(self._paused_until, now + pause)
        self._ceiling = _Ceiling(rate, self._paused_until, max(_plateau(rate), pause * _PLATEAU_PAUSES))
        self.concurrency = max(1.0, self.concurrency * (1 - share))
        self._gain = _RECOVERY
        self._cut_at = now
        self._cuts_without_reply += 1
        self._forget_window()

    def _forget_window(self) -> None:
        self._sent.clear()
        self._limited.clear()

    def _is_calm(self, now: float) -> bool:
        """Whether the pace is so far below a known limit that it cannot be the cause of a 429."""
        rate = self.rate(now)
        return rate is not None and self._ceiling is not None and rate < self._ceiling.rate * _CALM

    def _learn_noise(self, now: float) -> None:
        calm = self._is_calm(now)
        self._calm_sent += calm
        if self._was_calm and not calm:
            self._forget_window()
        self._was_calm = calm
        if self._calm_sent >= _CALM_SENT:
            share = self._calm_limited / self._calm_sent
            self._noise = min(_MOST_NOISE, max(_NOISE, share * _NOISE_MARGIN))
            self._calm_sent = self._calm_limited = 0

    def _is_a_limit(self, now: float) -> bool:
        """Whether there are more 429 than noise explains, in standard deviations: three while no limit is known, two
        below a known one, half of one above it."""
        expected = self._noise * max(len(self._sent), _FEWEST_SENT)
        rate = self.rate(now)
        deviations = 3.0 if rate is None or self._ceiling is None else 2.0 if rate < self._ceiling.rate * _CALM else 1.0
        return len(self._limited) > expected + deviations * math.sqrt(expected)

    def _used_rate(self, now: float) -> float:
        span = now - self._sent[0] if self._sent else 0.0
        measured = len(self._sent) / max(_WINDOW_SECONDS, span)
        known = self.rate(now)
        if known is None:
            return measured
        return min(known, measured) if span >= _WINDOW_SECONDS else known


def _plateau(rate: float) -> float:
    """Seconds; longer where calls are few, so that they are no larger share of those that meet the limit."""
    return min(_LONGEST_PLATEAU, max(_SHORTEST_PLATEAU, _PLATEAU_SENT / rate))
