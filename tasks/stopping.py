"""Ctrl-C and SIGTERM while a run is under way. The signal is raised wherever the main thread happens to be, and some
libraries put errors of their own in its place: a stop that was asked for would then end as a fault of theirs."""

import logging
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from prefect.exceptions import TerminationSignal

_Handler = Callable[[int, FrameType | None], object]
_logger = logging.getLogger("flawbench.progress")


@contextmanager
def stops_told() -> Generator[None, None, None]:
    """Whatever ends the block after a signal is raised as that signal, once the user knows what is kept."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers: dict[int, _Handler] = {number: handler for number, handler in before.items() if callable(handler)}

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)
        handlers[number](number, frame)

    for number in handlers:
        signal.signal(number, note)
    try:
        yield
    except BaseException as error:
        if not received:
            raise
        _logger.warning("Stopped: what is stored and paid for is kept, and the same command goes on from here.")
        if isinstance(error, Exception):
            raise _stop(received[0]) from None
        raise
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _stop(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else TerminationSignal(signal=number)
