"""Every argument and option of every command with values that people, scripts and files come up with: an error of two
lines and status 2, or a sensible answer, and never a traceback. New commands are covered as they come."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from cli.commands import app
from cli.main import main
from storage.lineage import Lineage
from storage.runs import Outcome

BeginBuild = Callable[[Path], tuple[Lineage, str]]
ODD = {
    "empty": "",
    "long": "x" * 300,
    "endless": "a" * 5000,
    "id": "smp_" + "x" * 300,
    "path": "../../etc/passwd",
    "lines": "a\nb",
    "controls": "\x1b[31m\x01",
    "negative": "-1",
    "huge": "9" * 20,
    "more than a double": "9" * 400,
    "no number": "nan",
    "other script": "例子😀%s{}[/bold]'\"\\",
    "no UTF-8": "\udcff",
}
NAMES_A_BUILD = ("huge", "no number")
"""Such a build could be made: the command would go on and start a server."""
OTHERS = {"injector": "ambiguity", "build": "small", "item": "x", "query": "SELECT 1", "rule": "all"}
MOST_SAID = 1000


class Place(NamedTuple):
    """A command, one of its arguments or options (its name and, of an option, its flag), and its other arguments."""

    command: tuple[str, ...]
    name: str
    option: str | None
    others: tuple[str, ...]


def find_places(command: object, path: tuple[str, ...] = ()) -> Iterator[Place]:
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from find_places(child, (*path, name))
    if not path or not isinstance(command, TyperCommand | TyperGroup):
        return
    needed = [one.name or "" for one in command.params if isinstance(one, TyperArgument) and one.required]
    for one in command.params:
        if isinstance(one, TyperArgument) or (isinstance(one, TyperOption) and not one.is_flag):
            option = one.opts[0] if isinstance(one, TyperOption) else None
            others = tuple(OTHERS.get(name, "0" * 64) for name in needed if name != one.name)
            yield Place(path, one.name or "", option, others)


PLACES = list(find_places(typer.main.get_command(app)))


@pytest.fixture(scope="module", autouse=True)
def data(begin_build: BeginBuild, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of the commands, with a build without items."""
    folder = tmp_path_factory.mktemp("data")
    lineage, run = begin_build(folder)
    lineage.finish_run(run, Outcome.COMPLETED, datetime.now(UTC))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLAWBENCH_DATA", str(folder))
        yield folder


def run_main(*arguments: str) -> tuple[object, str]:
    """Its status, and what it says of an error."""
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(told):
        patch.setattr(sys, "argv", ["flawbench", *arguments])
        with contextlib.redirect_stdout(io.StringIO()), pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code, told.getvalue()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{' '.join(place.command)}: {place.name}")
def test_an_odd_value_is_an_error_of_two_lines_or_a_sensible_answer(place: Place) -> None:
    for name, value in ODD.items():
        if place.name == "into" and name in NAMES_A_BUILD:
            continue
        given = (place.option, value, *place.others) if place.option else (*place.others, "--", value)
        status, told = run_main(*place.command, *given)
        assert status in (0, None, 2), name
        if status == 2 and not told.startswith("Usage:"):
            assert len(told) < MOST_SAID, name
            assert told.startswith("flawbench: "), name
            assert told.count("\n") == 2, name
            assert told.replace("\n", "").isprintable(), name


def test_all_commands_are_covered() -> None:
    assert {place.command[0] for place in PLACES} >= {"build", "plan", "inject", "export", "calls", "cost", "sql"}


def test_a_source_that_is_not_there_is_told_before_a_server_is_started(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: odd\nsources: [{reader: emma, location: no/such/folder}]\ntargets: {ambiguity: 1}\n", encoding="utf-8"
    )
    for command in (("build",), ("plan",), ("inject", "ambiguity")):
        status, told = run_main(*command, "--recipe", str(recipe))
        assert (status, "no/such/folder" in told) == (2, True)
