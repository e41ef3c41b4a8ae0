"""The program, and the signals that end it. Everything else is loaded inside `main`, so that Ctrl-C while it is loaded
ends it with a sentence too."""

import atexit
import os
import select
import signal
import sys
from contextlib import suppress
from functools import cache
from types import FrameType
from typing import NoReturn

_STOPPED_BY = {128 + signal.SIGINT: "Ctrl-C", 128 + signal.SIGTERM: "SIGTERM", 128 + signal.SIGHUP: "SIGHUP"}

_hang_ups: list[int] = []
_statuses: list[int] = []


def main() -> None:
    end_at_once()
    try:
        _run()
    except SystemExit as end:
        _statuses.append(end.code if isinstance(end.code, int) else int(end.code is not None))
        raise


@cache
def end_at_once() -> None:
    """The process ends as soon as all that is registered or loaded from now on has been told of the end: to free all
    that a build has imported takes Python most of a second."""
    atexit.register(_end)


def _end() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # gone or closed, as was said before
                stream.flush()
    os._exit(_statuses[-1] if _statuses else int(hasattr(sys, "last_value")))  # there when a traceback was printed


def _run() -> None:
    """SIGTERM and SIGHUP, of a terminal that is closed, end a command as Ctrl-C does, with status 143 and 129."""
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # by nohup
        signal.signal(signal.SIGHUP, _hang_up)
    try:
        from cli.commands import run_command

        run_command()
    except KeyboardInterrupt:
        _stop(128 + signal.SIGINT)
    except SystemExit as end:
        if isinstance(end.code, int) and end.code in _STOPPED_BY:
            _stop(end.code)
        raise


def _terminate(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + (_hang_ups or [number])[0])


def _hang_up(number: int, _frame: FrameType | None) -> None:
    """As SIGTERM, which libraries know. A second one, which the shell sends after the kernel, would be a second wish to
    stop, and not wait for replies of models."""
    signal.signal(number, signal.SIG_IGN)
    _hang_ups.append(number)
    _replace_gone_outputs()
    signal.raise_signal(signal.SIGTERM)


def _replace_gone_outputs() -> None:
    """What is written to a terminal that was closed is an error, in the middle of a stop."""
    outputs = select.poll()
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            outputs.register(stream, 0)
    for descriptor, _ in outputs.poll(0):  # only what is gone is told where nothing is asked for
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _stop(status: int) -> NoReturn:
    if sys.stderr is not None:
        with suppress(OSError):  # whoever read it may have been ended too
            sys.stderr.write(f"Stopped by {_STOPPED_BY[status]}.\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
