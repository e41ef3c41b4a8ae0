"""Runs a server or a worker as a child that never outlives the command that started it: when that command ends, even by
kill -9, or asks for it by SIGTERM, the child and everything it started get SIGINT, then SIGTERM, then SIGKILL. On Linux
the child does not outlive a guard that was killed either.

    python -m tasks.guard PARENT_PID COMMAND [ARGUMENT ...]"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import StorageError

PROJECT = Path(__file__).resolve().parent.parent

_POLL_SECONDS = 0.5
_RUN_SECONDS = 25.0
_SIGNAL_AT_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of linux/prctl.h
_PATIENCE = ((signal.SIGINT, 15.0), (signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))


def start_guarded(command: Sequence[str], log: Path, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """The guard's process; what the command prints goes to `log`. It runs in the project folder.

    Raises StorageError when the log cannot be written."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        output = log.open("ab")
    except OSError as error:
        raise StorageError(
            f"{log} cannot be written: {error.strerror}.", "Free space, or set FLAWBENCH_DATA to another folder."
        ) from error
    with output:
        return subprocess.Popen(
            [sys.executable, "-m", "tasks.guard", str(os.getpid()), *command],
            cwd=PROJECT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop_guarded(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.wait()


def _run(parent: int, command: Sequence[str]) -> int:
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: stopping.append(received))
    child = subprocess.Popen(command, start_new_session=True, preexec_fn=_end_with_guard)
    while child.poll() is None and not stopping and os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    return _stop(child)


def _end_with_guard() -> None:
    """In the child, before it becomes the command. The runs of a worker that ends so store what is on its way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_AT_PARENTS_DEATH, signal.SIGKILL)


def _stop(child: "subprocess.Popen[bytes]") -> int:
    _end_runs(child.pid)
    for number, seconds in _PATIENCE:
        if child.poll() is None:
            _signal_group(child.pid, number)
            _wait(child, seconds)
    _signal_group(child.pid, signal.SIGKILL)
    return child.wait()


def _end_runs(worker: int) -> None:
    """A worker that ends kills the runs of flows that it started, each in a group of its own, wherever they are: before
    that they get the time to store the replies of models that are on their way."""
    runs = _group_leaders_of(worker)
    for run in runs:
        with suppress(ProcessLookupError):
            os.kill(run, signal.SIGTERM)
    end = time.monotonic() + _RUN_SECONDS
    while time.monotonic() < end and not runs.isdisjoint(_group_leaders_of(worker)):
        time.sleep(_POLL_SECONDS / 5)


def _group_leaders_of(parent: int) -> set[int]:
    """Children that lead a group; none on systems without /proc."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, ppid, group, *_ = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(ppid) == parent and group == path.parent.name:
            found.add(int(group))
    return found


def _wait(child: "subprocess.Popen[bytes]", seconds: float) -> None:
    end = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < end:
        time.sleep(_POLL_SECONDS / 5)


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return


if __name__ == "__main__":
    sys.exit(_run(int(sys.argv[1]), sys.argv[2:]))
