"""Signals while a command still loads or starts its server, and a second `flawbench up` beside the first."""

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

FLAWBENCH = Path(sys.executable).parent / "flawbench"
WHILE_LOADING = """
import signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "typer":
            sys.meta_path.remove(self)
            signal.raise_signal(int(sys.argv.pop()))
sys.meta_path.insert(0, Finder())
from cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (signal.SIGINT, "Stopped by Ctrl-C.\n"),
        (signal.SIGTERM, "Stopped by SIGTERM.\n"),
        (signal.SIGHUP, "Stopped by SIGHUP.\n"),
    ],
    ids=["Ctrl-C", "SIGTERM", "SIGHUP"],
)
def test_a_command_that_is_stopped_while_it_loads_says_so_in_one_sentence(number: signal.Signals, told: str) -> None:
    ended = help_with(number)
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + number, "", told)


def test_a_command_that_nohup_started_outlives_its_terminal() -> None:
    ended = help_with(signal.SIGHUP, "nohup")
    assert (ended.returncode, ended.stderr) == (0, "")


def help_with(number: signal.Signals, *start: str) -> "subprocess.CompletedProcess[str]":
    """`flawbench --help` with a signal in the middle of its imports."""
    program = [*start, sys.executable, "-c", WHILE_LOADING, "--help", str(int(number))]
    return subprocess.run(
        program, cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


def test_ctrl_c_while_the_server_starts_is_one_sentence(
    environment: Mapping[str, str],
    unused_port: Callable[[], int],
    wait_for: Callable[[Callable[[], bool], float], None],
    processes_of: Callable[[Path], dict[int, str]],
    data: Path,
) -> None:
    nobody = {"PREFECT_API_URL": f"http://127.0.0.1:{unused_port()}/api", "FLAWBENCH_DATA": str(data)}
    with subprocess.Popen(
        [FLAWBENCH, "build"], cwd=PROJECT, env={**environment, **nobody}, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for((data / "prefect" / "server.log").exists, 60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + signal.SIGINT, "Stopped by Ctrl-C.\n")
    wait_for(lambda: not processes_of(data), 30)


def test_a_second_service_on_a_data_folder_is_refused_at_once_and_the_first_works_on(
    spawn: Callable[..., "subprocess.Popen[str]"], data: Path
) -> None:
    with spawn("up", data=data) as first:
        assert first.stdout
        assert first.stdout.readline().startswith("worker"), first.communicate()
        second = spawn("up", data=data)
        _, errors = second.communicate(timeout=60)
        assert (second.returncode, f"as process {first.pid}" in errors) == (2, True), errors
        assert first.stdout.readline().startswith("ready")
        first.send_signal(signal.SIGINT)
        output, errors = first.communicate(timeout=60)
    assert (first.returncode, output.splitlines()[-1], errors) == (0, "stopped", "")
