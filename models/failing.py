"""What a request that failed comes to: another attempt after a pause, a failure of its own, or the end of the run."""

import random
from collections.abc import Sequence

from models.base import CallError, FailureKind
from models.health import LineHealth
from models.lines import Line
from models.stops import out_of_attempts, refuses_all, unreachable

_FIRST_PAUSE = 0.1
_PAUSE_FACTOR = 5.0
_LONGEST_PAUSE = 60.0
_LONGEST_WAIT = 300.0
_SAME_FAILURES = 3
_CONNECTIONS_TRIED = 4
_BROKEN = 500
_jitter = random.Random()


async def judge_failures(line: Line, health: LineHealth, failures: Sequence[CallError], began: int) -> float | None:
    """Seconds until the next attempt, None for a request that would fail for ever. The model had given `began` replies
    when it was first looked up. Raises ModelCallError, to end the run."""
    last = failures[-1]
    if last.kind is FailureKind.UNFIT:  # says nothing of the model
        return None
    if last.kind is FailureKind.PERMANENT:
        in_batch = line.batches is not None and len(failures) == 1
        # Rows of one batch are judged together: a reply out of it shows that the model answers.
        if (in_batch and health.replies) or await health.is_bad_row():
            return None
        raise refuses_all(line, last, "since its last reply" if health.replies else "so far")
    if health.replies > began and _blames_request(failures) and await health.is_bad_row():
        return None
    unheard = last.http_status is None or last.kind is FailureKind.MOVED
    if unheard and not health.replies and len(failures) >= _CONNECTIONS_TRIED:
        raise unreachable(line, last)
    if len(failures) >= line.spec.attempts:
        raise unreachable(line, last) if last.kind is FailureKind.MOVED else out_of_attempts(line, last)
    return _pause(last.retry_after or 0.0, len(failures))


def _pause(asked_for: float, failures: int) -> float:
    longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * _PAUSE_FACTOR ** (failures - 1))
    return max(longest * _jitter.uniform(0.5, 1.0), min(asked_for, _LONGEST_WAIT))


def _blames_request(failures: Sequence[CallError]) -> bool:
    """The server breaks on this very request, with the same words again and again, while it answers others: such as
    llama.cpp on a picture when its model reads text only."""
    last = failures[-_SAME_FAILURES:]
    same = {(failure.http_status, failure.message) for failure in last}
    return len(last) == _SAME_FAILURES and len(same) == 1 and last[0].http_status == _BROKEN
