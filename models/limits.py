"""How fast one model may be asked: the limits that its account is known to have, and those that its 429 replies teach.
Pure arithmetic on times in seconds; the waiting is done in `models.pace`."""

import math
from collections import deque
from dataclasses import dataclass, replace

_ROUNDING = 1e-9


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
        return missing / self._per_second if missing > _ROUNDING else 0.0

    def take(self, now: float, amount: float) -> None:
        self._held = self._level(now) - amount
        self._at = now

    def _level(self, now: float) -> float:
        return min(self._burst, self._held + max(0.0, now - self._at) * self._per_second)


_START = 10.0
_RAMP = 2.0
"""Places that one reply adds while no limit is known: three times as many calls after each round trip, but not sooner
than after `_RAMP_SECONDS`, so that the first 429 are back before many more calls are sent."""
_RAMP_SECONDS = 0.2
_RECOVERY = 0.25
"""The same after a cut."""
_NOISE = 0.055
"""Share of 429 that a provider may send whatever the pace while no limit is known; what is clearly more is one."""
_NOISE_AT_LIMIT = 0.02
"""The same where a limit is known, until it was measured."""
_MOST_NOISE = 0.12
_WINDOW_SECONDS = 1.0
_WINDOW_SENT = 200
_FEWEST_SENT = 20
_BETWEEN_CUTS = 0.5
_CUT = 0.08
_SHORTEST_PLATEAU = 3.0
_LONGEST_PLATEAU = 10.0
_GUESS_SECONDS = 1.0
_PLATEAU_SENT = 100
_PLATEAU_PAUSES = 6.0
_FREE = 3.0
"""A pace so many times as fast as what is used limits nothing and is forgotten."""
_CALM = 0.97
_CALM_SENT = 150
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

    def rate_at(self, now: float) -> float:
        plateaus = max(0.0, now - self.since) / self.plateau
        return self.rate * (1 + _CUT * (plateaus - 1) ** 3)


class _Ramp:
    """How soon the first calls may follow each other: `_START` at once, three times as many every `_RAMP_SECONDS`."""

    def __init__(self) -> None:
        self._sent = 0
        self._began = 0.0

    def next_after(self, now: float) -> float:
        if not self._sent:
            self._began = now
        self._sent += 1
        return self._began + _RAMP_SECONDS * math.log((self._sent + 1) / _START, 1 + _RAMP)


@dataclass(frozen=True, slots=True)
class _Cut:
    """What was seen when a limit was met: the calls a second and places used, how many of `sent` were turned away, and
    how many cuts there were before without a reply between."""

    at: float
    used: float
    concurrency: float
    sent: int
    limited: int
    cuts_before: int


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
        self._measured_noise = 0.0
        self._ceiling: _Ceiling | None = None
        self._paused_until = 0.0
        self._next = 0.0
        self._ramp = _Ramp()
        self._sent: deque[float] = deque()
        self._limited: deque[float] = deque()
        self._cut = _Cut(-math.inf, 0.0, 0.0, 1, 0, 0)
        self._cuts_without_reply = 0
        self._calm_sent = 0
        self._calm_limited = 0
        self._was_calm = False

    def wait(self, now: float) -> float:
        """Seconds until the next call may be sent, if there is a place for it."""
        return max(0.0, self._paused_until - now, self._next - now)

    def rate(self, now: float) -> float | None:
        """Calls a second, None while no limit is known."""
        return self._ceiling.rate_at(now) if self._ceiling else None

    def sent(self, now: float) -> None:
        self._sent.append(now)
        while len(self._sent) > _WINDOW_SENT and now - self._sent[0] > _WINDOW_SECONDS:
            self._sent.popleft()
        rate = self.rate(now)
        if rate is None:
            self._next = self._ramp.next_after(now)
        else:
            self._next = max(self._next, now - _CATCH_UP_SECONDS) + 1 / rate
            self._learn_noise(now)
            self._forget_what_is_free(now, rate)

    def replied(self) -> None:
        self._cuts_without_reply = 0
        self.concurrency = min(float(self._most), self.concurrency + self._gain)

    def limited(self, now: float, retry_after: float | None, jitter: float) -> None:
        """A 429 came. `jitter` in 0..1 spreads the ends of pauses that the provider does not ask for."""
        self._calm_limited += self._is_calm(now)
        if now - self._cut.at < _BETWEEN_CUTS:
            if not self._sent:  # sent before the cut: it shows how deep that has to be
                self._cut = replace(self._cut, limited=self._cut.limited + 1)
                self._apply(self._cut, retry_after, jitter)
            return
        self._limited.append(now)
        while self._sent and self._limited and self._limited[0] < self._sent[0]:
            self._limited.popleft()
        if self._is_a_limit(now):
            used, sent = self._used_rate(now), max(1, len(self._sent))
            self._cut = _Cut(now, used, self.concurrency, sent, len(self._limited), self._cuts_without_reply)
            self._cuts_without_reply += 1
            self._gain = _RECOVERY
            self._forget_window()
            self._apply(self._cut, retry_after, jitter)

    def _apply(self, cut: "_Cut", retry_after: float | None, jitter: float) -> None:
        share = min(1.0, cut.limited / cut.sent)
        pause = retry_after if retry_after is not None else share * (0.5 + jitter / 2) * 2**cut.cuts_before
        pause = min(pause, _LONGEST_PAUSE)
        rate = max(_SLOWEST, cut.used * (1 - share))
        self._paused_until = self._next = max(self._paused_until, cut.at + pause)
        self._ceiling = _Ceiling(rate, self._paused_until, _plateau(rate, cut.sent, pause))
        self.concurrency = max(1.0, cut.concurrency * (1 - share))

    def _forget_what_is_free(self, now: float, rate: float) -> None:
        if len(self._sent) >= _FEWEST_SENT and rate * (now - self._sent[-_FEWEST_SENT]) > _FREE * _FEWEST_SENT:
            self._ceiling = None

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
            self._measured_noise = min(_MOST_NOISE, share * _NOISE_MARGIN)
            self._calm_sent = self._calm_limited = 0

    def _is_a_limit(self, now: float) -> bool:
        """Whether there are more 429 than noise explains, in standard deviations: three while no limit is known, two
        below a known one, half of one above it."""
        rate = self.rate(now)
        noise = max(self._measured_noise, _NOISE if rate is None else _NOISE_AT_LIMIT)
        expected = noise * max(len(self._sent), _FEWEST_SENT)
        deviations = 3.0 if rate is None else 2.0 if self._is_calm(now) else 1.0
        return len(self._limited) > expected + deviations * math.sqrt(expected)

    def _used_rate(self, now: float) -> float:
        span = now - self._sent[0] if self._sent else 0.0
        measured = len(self._sent) / max(_WINDOW_SECONDS, span)
        known = self.rate(now)
        if known is None:
            return measured
        return min(known, measured) if span >= _WINDOW_SECONDS else known


def _plateau(rate: float, sent: int, pause: float) -> float:
    """Seconds; longer where calls are few or pauses long, so that neither takes a larger share when the limit is met
    again, but short where the rate is only a guess from few that were sent."""
    if sent < _FEWEST_SENT:
        return _GUESS_SECONDS
    return max(min(_LONGEST_PLATEAU, max(_SHORTEST_PLATEAU, _PLATEAU_SENT / rate)), pause * _PLATEAU_PAUSES)
