"""Where the output of a command goes is not always a terminal: it may be closed, full, or read by one who has gone."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

FLAWBENCH = str(Path(sys.executable).parent / "flawbench")
LONG = ("sql", "SELECT repeat('x', 90) FROM range(3000)")
COMMANDS = [("builds",), ("builds", "--json"), ("sql", "SELECT 1"), LONG, ("--help",), ("build", "--help")]


@pytest.fixture(scope="module")
def environment(begin_build: Callable[[Path], object], tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """With a data folder in which one build was begun."""
    folder = tmp_path_factory.mktemp("data")
    begin_build(folder)
    return {**os.environ, "FLAWBENCH_DATA": str(folder), "PYTHONUNBUFFERED": ""}


def run(command: tuple[str, ...], redirection: str, environment: Mapping[str, str]) -> tuple[int, str]:
    """Its status and what it says on standard error."""
    line = f'"$0" "$@" {redirection}'
    ended = subprocess.run(
        ["bash", "-c", line, FLAWBENCH, *command], env=environment, stderr=subprocess.PIPE, text=True, timeout=120
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_output_is_told_in_two_lines(command: tuple[str, ...], environment: Mapping[str, str]) -> None:
    status, told = run(command, ">/dev/full", environment)
    assert told.startswith("flawbench: Standard output cannot be written: No space left on device.\nSend it to")
    assert (status, told.count("\n")) == (2, 2)


def test_so_it_is_where_nothing_is_held_back(environment: Mapping[str, str]) -> None:
    status, told = run(LONG, ">/dev/full", {**environment, "PYTHONUNBUFFERED": "1"})
    assert (status, told.count("\n")) == (2, 2)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_output_is_told_in_two_lines(command: tuple[str, ...], environment: Mapping[str, str]) -> None:
    status, told = run(command, ">&-", environment)
    assert told.startswith("flawbench: Standard output is closed.\nSend it to")
    assert (status, told.count("\n")) == (2, 2)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_who_reads_the_output_may_go(command: tuple[str, ...], environment: Mapping[str, str]) -> None:
    assert run(command, "> >(true)", environment) in ((0, ""), (1, ""))


def test_a_closed_error_output_changes_no_status(environment: Mapping[str, str]) -> None:
    assert run(("builds",), ">/dev/null 2>&-", environment) == (0, "")
    assert run(("funnel", "none"), ">/dev/null 2>&-", environment) == (2, "")
