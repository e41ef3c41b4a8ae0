"""kill -9 at moments spread over a build, then once more to the end: the contents are those of an undisturbed build,
and nothing is left behind, neither file nor process."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

FLAWBENCH = Path(sys.executable).parent / "flawbench"


def test_a_build_killed_again_and_again_ends_with_the_same_contents(
    starter: Path,
    environment: Mapping[str, str],
    command: Callable[..., object],
    contents: Callable[[Path], object],
    processes_of: Callable[[Path], dict[int, str]],
    wait_for: Callable[[Callable[[], bool], float], None],
    data: Path,
) -> None:
    milestones: list[Callable[[], bool]] = [
        lambda: (data / "lineage.duckdb").exists(),
        lambda: _count(data, "pictures/*/*") > 5,
        lambda: _count(data, "parts/sample/*") > 0,
        lambda: _count(data, "parts/inject/*") >= 3,
        lambda: _count(data, "parts/filter/*") >= 2,
        lambda: _count(data, "parts/select/*") > 0,
        lambda: any(data.glob("releases/*")) or any(data.glob("releases/.*")),
    ]
    for reached in milestones:
        build = subprocess.Popen(
            [FLAWBENCH, "build"],
            cwd=PROJECT,
            env={**environment, "FLAWBENCH_DATA": str(data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(lambda reached=reached, build=build: reached() or build.poll() is not None, 120)
        os.kill(build.pid, signal.SIGKILL)
        build.wait()
    command("build", data=data)
    assert contents(data) == contents(starter)
    assert _leftovers(data) == []
    wait_for(lambda: not processes_of(data), 10)


def _count(data: Path, pattern: str) -> int:
    return sum(1 for _ in (data / "objects").glob(pattern))


def _leftovers(data: Path) -> list[Path]:
    """Temporary files, and entries of the releases folder that are no release."""
    temporary = list(data.rglob("*.tmp"))
    return temporary + [path for path in (data / "releases").iterdir() if not (path / "manifest.json").is_file()]
