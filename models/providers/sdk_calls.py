"""Calls into the SDKs. Their errors repeat the body of the reply and hold the request with its key, and Prefect stores
whole chains of errors: none goes on from here, neither as a cause nor as what was being handled."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from models.base import CallError
from models.providers.faults import connection_error, timeout_error

Result = TypeVar("Result")
Translate = Callable[[BaseException, str | None], CallError | None]


async def call_sdk(
    call: Awaitable[Result], translate: Translate, key: str | None, timeout_seconds: float | None = None
) -> Result:
    """`translate` makes a failure of an answer that is an error, None of anything else: no answer, or one that the SDK
    cannot read, may pass. `timeout_seconds` is the time for the whole call. Raises CallError."""
    # A value and not raised: what goes wrong while an error is handled carries that one on, `from None` or not.
    (outcome,) = await asyncio.gather(_within(call, timeout_seconds), return_exceptions=True)
    if not isinstance(outcome, BaseException):
        return outcome
    if timeout_seconds is not None and type(outcome) is TimeoutError:  # not aiohttp's: to connect may take too long
        raise timeout_error(timeout_seconds)
    raise translate(outcome, key) or connection_error(outcome, key)


async def _within(call: Awaitable[Result], timeout_seconds: float | None) -> Result:
    async with asyncio.timeout(timeout_seconds):
        return await call
