"""The documentation of the command is whole."""

import re
from pathlib import Path

import pytest
from typer.core import TyperGroup

from cli.commands import program

assert isinstance(program, TyperGroup)
COMMANDS = sorted(program.commands)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_text_and_stands_in_the_readme(
    command: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        program([command, "--help"], prog_name="flawbench")
    shown = capsys.readouterr().out
    assert f"flawbench {command} " in shown
    assert len(shown.splitlines()) > 5
    assert re.search(rf"uv run flawbench {command}\b", (root / "README.md").read_text(encoding="utf-8"))


def test_no_argument_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        program([], prog_name="flawbench")
    lines = re.findall(r"^\W{2}(\w+) ", capsys.readouterr().out, flags=re.MULTILINE)
    assert set(COMMANDS) <= set(lines)
