"""The command answers at once and its documentation is whole."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = ("build", "inject", "export", "up", "lineage", "funnel", "quarantine", "builds", "sql")
HEAVY = ("prefect", "torch", "datasets", "duckdb", "cv2", "numpy", "pyarrow", "label_studio_sdk", "scipy")


def test_the_help_loads_nothing_heavy() -> None:
    code = f"import cli.main, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_reading_commands_need_neither_prefect_nor_torch() -> None:
    code = (
        "import sys, cli.tables, storage.lineage\n"
        "print([name for name in ('prefect', 'torch', 'datasets') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_text_and_stands_in_the_readme(command: str, root: Path) -> None:
    program = [sys.executable, "-c", "from cli.main import main; main()", command, "--help"]
    shown = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert len(shown.splitlines()) > 5
    assert f"flawbench {command}" in (root / "README.md").read_text(encoding="utf-8")


def test_no_argument_shows_the_commands() -> None:
    program = [sys.executable, "-c", "from cli.main import main; main()"]
    shown = subprocess.run(program, capture_output=True, text=True, check=False).stdout
    assert all(command in shown for command in COMMANDS)
