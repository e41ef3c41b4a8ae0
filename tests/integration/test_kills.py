"""kill -9 at moments spread over a build, then once more to the end: the contents are those of an undisturbed build,
and nothing is left behind, neither file nor process."""

import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

MILESTONES = (
    ("lineage.duckdb", 1),
    ("objects/pictures/*/*", 6),
    ("objects/parts/sample/*", 1),
    ("objects/parts/inject/*", 1),
    ("objects/parts/filter/*", 1),
    ("objects/parts/select/*", 1),
    ("releases/*", 1),
)
"""Which files, and how many more of them than the build before left, which died as soon as it had made its own."""


def test_a_build_killed_again_and_again_ends_with_the_same_contents(
    spawn: Callable[..., "subprocess.Popen[str]"],
    goes_on: Callable[[Path], None],
    processes_of: Callable[[Path], dict[int, str]],
    wait_for: Callable[[Callable[[], bool], float], None],
    data: Path,
) -> None:
    for pattern, more in MILESTONES:
        wanted = _count(data, pattern) + more
        with spawn("build", data=data, FLAWBENCH_WORKERS="2") as build:
            wait_for(partial(_reached, data, pattern, wanted, build), 240)
            build.kill()
        assert build.returncode == -signal.SIGKILL, (pattern, "the build had ended before")
    goes_on(data)
    wait_for(lambda: not processes_of(data), 10)


def _count(data: Path, pattern: str) -> int:
    return sum(1 for _ in data.glob(pattern))


def _reached(data: Path, pattern: str, wanted: int, build: "subprocess.Popen[str]") -> bool:
    return _count(data, pattern) >= wanted or build.poll() is not None
