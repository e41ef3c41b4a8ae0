"""The command answers at once and its documentation is whole."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

COMMANDS = ("build", "plan", "inject", "combine", "refilter", "premises", "lint", "export", "review", "up", "lineage")
COMMANDS += ("funnel", "quarantine", "builds", "calls", "cost", "sql")
HEAVY = ("prefect", "torch", "datasets", "duckdb", "cv2", "numpy", "pyarrow", "label_studio_sdk", "scipy", "sklearn")


def test_the_help_loads_nothing_heavy() -> None:
    code = f"import cli.main, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_reading_commands_need_neither_prefect_nor_torch() -> None:
    code = (
        "import sys, cli.build_tables, cli.tables, storage.lineage\n"
        "print([name for name in ('prefect', 'torch', 'datasets') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


@pytest.fixture(scope="module")
def help_texts() -> Mapping[str, str]:
    """Of each command, as the program shows it. One process for all: its start takes longer than they."""
    code = (
        "import sys, cli.main\n"
        "for command in sys.argv[1:]:\n"
        "    sys.argv = ['flawbench', command, '--help']\n"
        "    try:\n"
        "        cli.main.main()\n"
        "    except SystemExit as ended:\n"
        "        print(f'\\0{command} {ended.code}\\0', end='')\n"
    )
    program = [sys.executable, "-c", code, *COMMANDS]
    parts = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split("\0")
    return dict(zip(parts[1::2], parts[::2], strict=False))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_text_and_stands_in_the_readme(
    command: str, root: Path, help_texts: Mapping[str, str]
) -> None:
    shown = help_texts[f"{command} 0"]
    assert f"flawbench {command} " in shown
    assert len(shown.splitlines()) > 5
    assert f"flawbench {command}" in (root / "README.md").read_text(encoding="utf-8")


def test_no_argument_shows_the_commands() -> None:
    program = [sys.executable, "-c", "from cli.main import main; main()"]
    shown = subprocess.run(program, capture_output=True, text=True, check=False).stdout
    assert all(command in shown for command in COMMANDS)
