"""The flawbench command. Only names and help texts are loaded here; each command loads what it needs when it runs."""

import io
import sys

import typer

from cli.build import build, export, inject
from cli.calls import calls, cost
from cli.lineage import builds, funnel, lineage, quarantine, sql
from cli.planning import combine, plan, refilter
from cli.up import up
from core.errors import ConfigurationError, FlawbenchError

app = typer.Typer(
    name="flawbench",
    help="Build benchmarks of flawed multimodal inputs, with a record of every flaw.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (build, plan, inject, combine, refilter, export, up, lineage, funnel, quarantine, builds, cost, sql):
    app.command()(command)
app.add_typer(calls, name="calls")


def main() -> None:
    """The rim: an error that the user can act on is two sentences and status 2, anything else keeps its traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character shows its number
    try:
        _require_text(sys.argv)
        app()
    except FlawbenchError as error:
        sys.stderr.write(f"flawbench: {error.message}\n{error.fix}\n")
        sys.exit(2)


def _require_text(arguments: list[str]) -> None:
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise ConfigurationError(f"The argument {ascii(argument)[:80]} is no UTF-8 text.", "Write it as UTF-8.")
