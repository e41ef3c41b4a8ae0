"""The one way out to the terminal. What models, servers and data sets wrote may hold sequences that a terminal obeys:
they are spelled out here, so that whatever is stored can stay as it came."""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.errors import ConfigurationError
from core.terminals import show_controls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

_FILE_WIDTH = 4000  # nothing is folded or cut where no person reads along


@contextmanager
def output_checked() -> Generator[None, None, None]:
    """Around a command, since what it prints is written to the end only here. Ends it quietly when who reads its output
    has gone. Raises ConfigurationError for an output that is closed or takes no more."""
    if sys.stdout is None:
        raise _unusable("is closed")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if not _takes_no_more():
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python still holds, when it ends
        if isinstance(error, BrokenPipeError):
            sys.exit(1)
        raise _unusable(f"cannot be written: {error.strerror}") from error


def print_out(content: "RenderableType", *, soft_wrap: bool = False) -> None:
    """To standard output; texts as they are, without any formatting. `soft_wrap`: the terminal breaks the lines, so
    that commands can be copied."""
    from rich.console import Console

    if isinstance(content, str):
        sys.stdout.write(show_controls(content) + "\n")
    elif sys.stdout.isatty() or soft_wrap:
        Console().print(_Harmless(content), soft_wrap=soft_wrap)
    else:
        Console(width=_FILE_WIDTH).print(_Harmless(content))


def show_live(views: "Iterable[RenderableType]") -> None:
    """Each at the place of the one before."""
    from rich.live import Live

    with Live(auto_refresh=False) as live:
        for view in views:
            live.update(_Harmless(view), refresh=True)


def tell(text: str) -> None:
    """To standard error."""
    sys.stderr.write(show_controls(text) + "\n")


def _takes_no_more() -> bool:
    """Tried out: the error may be that of another file."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _unusable(reason: str) -> ConfigurationError:
    return ConfigurationError(
        f"Standard output {reason}.", "Send it to a terminal, a file on a disk with space, or /dev/null."
    )


class HarmlessFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return show_controls(super().format(record))


class _Harmless:
    """After the colours are known: those are sequences of our own."""

    def __init__(self, content: "RenderableType") -> None:
        self._content = content

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.segment import Segment

        for segment in console.render(self._content, options):
            yield segment if segment.control else Segment(show_controls(segment.text), segment.style)
