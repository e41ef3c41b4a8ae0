"""The commands. Only names and help texts are loaded here; each command loads what it needs when it runs."""

import io
import os
import re
import sys

import typer

from cli.build import build, export, inject
from cli.calls import calls, cost
from cli.lineage import builds, funnel, lineage, quarantine, sql
from cli.lint import lint
from cli.planning import combine, plan, refilter
from cli.premises import premises
from cli.review import review
from cli.terminal import output_checked, tell
from cli.up import up
from core.errors import ConfigurationError, FlawbenchError
from core.whole_texts import is_text

app = typer.Typer(
    name="flawbench",
    help="Build benchmarks of flawed multimodal inputs, with a record of every flaw.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    build,
    premises,
    plan,
    inject,
    combine,
    refilter,
    export,
    lint,
    up,
    lineage,
    funnel,
    quarantine,
    builds,
    cost,
    sql,
):
    app.command()(command)
app.add_typer(calls, name="calls")
app.add_typer(review, name="review")
program = typer.main.get_command(app)  # made once: a call of `app` makes it anew

_ENDLESS = re.compile(r"\S{400,}")
_SHOWN = 100


def run_command() -> None:
    """The rim: an error that the user can act on is two lines and status 2, anything else keeps its traceback."""
    if sys.stderr is None:  # closed: it would be the number of the next file that is opened
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character shows its number
    try:
        _require_text(sys.argv)
        with output_checked():
            program()
    except FlawbenchError as error:
        tell(f"flawbench: {_in_one_line(error.message)}\n{_in_one_line(error.fix)}")
        sys.exit(2)


def _in_one_line(text: str) -> str:
    """What it repeats of the user's input does not fill the screen."""
    return _ENDLESS.sub(lambda found: f"{found[0][:_SHOWN]} ...", text).replace("\n", "\\n")


def _require_text(arguments: list[str]) -> None:
    for argument in arguments:
        if not is_text(argument):
            raise ConfigurationError(f"The argument {ascii(argument)[:80]} is no UTF-8 text.", "Write it as UTF-8.")
