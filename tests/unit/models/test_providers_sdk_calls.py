import asyncio
import traceback
from collections.abc import Awaitable, Callable

import pytest

from models.base import CallError, FailureKind
from models.providers.sdk_calls import Translate, call_sdk

KEY = "sk-planted-0123456789"


class SdkError(Exception):
    """Repeats what was sent, as those of the SDKs do."""


async def refuse() -> str:
    raise SdkError(f"the body says Bearer {KEY}")


def understand(error: BaseException, _: str | None) -> CallError | None:
    return CallError(FailureKind.RATE, "too many") if isinstance(error, SdkError) else None


def stumble(error: BaseException, _: str | None) -> CallError | None:
    raise ZeroDivisionError("a fault of ours")


def know_nothing(error: BaseException, _: str | None) -> CallError | None:
    return None


def fail(call: Awaitable[str], translate: Translate, timeout_seconds: float | None = None) -> Exception:
    async def run() -> str:
        return await call_sdk(call, translate, KEY, timeout_seconds)

    with pytest.raises((CallError, ZeroDivisionError)) as raised:
        asyncio.run(run())
    return raised.value


async def answer() -> str:
    return "yes"


def test_what_the_call_gives_is_given() -> None:
    async def run() -> str:
        return await call_sdk(answer(), know_nothing, KEY)

    assert asyncio.run(run()) == "yes"


@pytest.mark.parametrize(
    ("translate", "kind"),
    [(understand, CallError), (stumble, ZeroDivisionError), (know_nothing, CallError)],
    ids=["known", "wrongly translated", "unknown"],
)
def test_no_error_that_goes_on_tells_or_holds_what_the_sdk_raised(translate: Translate, kind: type[Exception]) -> None:
    error = fail(refuse(), translate)
    assert type(error) is kind
    assert KEY not in "".join(traceback.format_exception(error))
    assert (error.__cause__, error.__context__) == (None, None)


def deepen() -> None:
    deepen()


@pytest.mark.parametrize(
    ("read", "told"),
    [
        pytest.param(lambda: b"\xff".decode(), "UnicodeDecodeError: 'utf-8' codec", id="no text"),
        pytest.param(lambda: b"x".decode("none"), "LookupError: unknown encoding", id="charset"),
        pytest.param(lambda: b"x".decode("hex", "replace"), "LookupError: 'hex' is not", id="no charset"),
        pytest.param(lambda: int("9" * 5000), "ValueError: Exceeds the limit", id="number"),
        pytest.param(deepen, "RecursionError: maximum", id="depth"),
        pytest.param(lambda: len(KEY) / 0, "ZeroDivisionError: division by zero", id="anything"),
    ],
)
def test_what_the_sdk_does_not_foresee_is_a_failure_that_may_pass(read: Callable[[], object], told: str) -> None:
    async def receive() -> str:
        return str(read())

    error = fail(receive(), know_nothing)
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_billed) == (FailureKind.TEMPORARY, True)
    assert error.message.startswith(told)


def test_a_call_that_takes_too_long_is_given_up() -> None:
    error = fail(asyncio.sleep(30, "late"), know_nothing, timeout_seconds=0.02)
    assert isinstance(error, CallError)
    assert "0.02 seconds" in error.message


def test_a_call_is_stopped_with_the_one_who_waits_for_it() -> None:
    stopped = asyncio.Event()

    async def work() -> str:
        try:
            return await asyncio.sleep(30, "late")
        finally:
            stopped.set()

    async def run() -> None:
        task = asyncio.create_task(call_sdk(work(), know_nothing, KEY))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert stopped.is_set()
