"""Event loops whose time is made up: what would take minutes is over at once, and takes the same time every time."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

Result = TypeVar("Result")


class _Jump(selectors.DefaultSelector):
    """Instead of waiting, sets the clock forward."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everything waits and nothing is to come"
        self.now += max(0.0, timeout)
        return []


class _JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now


@pytest.fixture
def run_in_no_time() -> Callable[[Coroutine[Any, Any, Result]], Result]:
    """Runs a coroutine that uses no threads and no sockets."""

    def run(work: Coroutine[Any, Any, Result]) -> Result:
        loop = _JumpingLoop()
        try:
            return loop.run_until_complete(work)
        finally:
            loop.close()

    return run
