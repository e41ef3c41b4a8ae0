"""How often a request about batches is tried: what may pass is no reason to pay for a row that is in a batch apart as
well, and what was just made may be invisible for moments."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from models.base import CallError, FailureKind, MaybeSentError

_LONGEST_PAUSE_SECONDS = 60.0
_FIRST_PAUSE_SECONDS = 0.5
_MOST_FAILURES = 9
"""In a row, with pauses that double: about two minutes."""
_SEARCH_PAUSES_SECONDS = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Before each look for what the provider does not show."""
_PASSING = (FailureKind.TEMPORARY, FailureKind.RATE)
_OF_ACCOUNT = (FailureKind.KEY, FailureKind.BROKE)
_NOT_FOUND = 404
_log = logging.getLogger("flawbench.calls")

Result = TypeVar("Result")


async def insist(ask: Callable[[], Awaitable[Result]], model: str) -> Result:
    """Raises CallError for what does not pass, MaybeSentError when it did not for long."""
    last: CallError | None = None
    for failures in range(_MOST_FAILURES):
        try:
            return await ask()
        except CallError as failure:
            if failure.kind not in _PASSING:
                raise
            _log.debug("failed=%s model=%s", failure.message, model)
            last = failure
            pause = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**failures)
            await asyncio.sleep(max(pause, min(failure.retry_after or 0.0, _LONGEST_PAUSE_SECONDS)))
    raise _unreachable(model, last)


async def search(ask: Callable[[], Awaitable[Result]], model: str) -> Result | None:
    """For what was sent and may be billed, so that no failure frees its money. None where the provider does not show
    it for a while.

    Raises CallError of the account, MaybeSentError for everything else."""
    last: CallError | None = None
    for pause in _SEARCH_PAUSES_SECONDS:
        await asyncio.sleep(pause)
        try:
            return await insist(ask, model)
        except CallError as failure:
            if failure.kind in _OF_ACCOUNT:
                raise replace(failure, maybe_billed=True) from None
            last = failure
    if last and last.http_status == _NOT_FOUND:
        return None
    raise _unreachable(model, last)


def _unreachable(model: str, last: CallError | None) -> MaybeSentError:
    return MaybeSentError(
        f"The batches of {model} could not be reached: {last}",
        "Run the same command again later: what was sent goes on at the provider and is found again.",
    )
