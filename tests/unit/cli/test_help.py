"""The documentation of the command is whole."""

from pathlib import Path

import pytest

from cli.main import program

COMMANDS = ("build", "plan", "inject", "combine", "refilter", "premises", "lint", "export", "review", "up", "lineage")
COMMANDS += ("funnel", "quarantine", "builds", "calls", "cost", "sql")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_text_and_stands_in_the_readme(
    command: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"^0$"):
        program([command, "--help"], prog_name="flawbench")
    shown = capsys.readouterr().out
    assert f"flawbench {command} " in shown
    assert len(shown.splitlines()) > 5
    assert f"flawbench {command}" in (root / "README.md").read_text(encoding="utf-8")


def test_no_argument_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        program([], prog_name="flawbench")
    shown = capsys.readouterr().out
    assert all(command in shown for command in COMMANDS)
