"""Ctrl-C and SIGTERM while a run is under way. The signal is raised wherever the main thread happens to be, and some
libraries put errors of their own in its place: a stop that was asked for would then end as a fault of theirs."""

import logging
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType, TracebackType

from prefect.exceptions import TerminationSignal

from tasks.health import answers
from tasks.processes import end_with_parent
from tasks.server import configured_api

_STARTED_BY_WORKER = "PREFECT__FLOW_RUN_ID"  # Prefect sets it for the process of a deployed run
_STOP_SECONDS = 20.0  # for replies of models that are on their way

_Handler = Callable[[int, FrameType | None], object]
_logger = logging.getLogger("flawbench.progress")


class StopsTold:
    """Whatever ends the block after a signal is raised as that signal, once the user knows what is kept."""

    def __init__(self) -> None:
        self._received: list[int] = []
        self._handlers: dict[int, _Handler] = {}

    def __enter__(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._note)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if error is None or not self._received:
            return
        _logger.warning("Stopping: what is stored and paid for is kept, and the same command goes on from here.")
        if isinstance(error, Exception):
            raise _stop(self._received[0]) from None

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._received.append(number)
        self._handlers[number](number, frame)


@contextmanager
def ended_by_worker() -> Generator[None, None, None]:
    """Around a run, whose process ends with the worker that started it, if one did. When all is stored, a server that
    is gone is not waited for: Prefect would try for half a minute to tell it."""
    if _STARTED_BY_WORKER not in os.environ:
        yield
        return
    end_with_parent(os.getppid(), _STOP_SECONDS)
    try:
        yield
    except TerminationSignal:
        if not answers(configured_api()):
            os._exit(128 + signal.SIGTERM)
        raise


def _stop(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else TerminationSignal(signal=number)
