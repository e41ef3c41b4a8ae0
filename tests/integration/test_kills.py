"""kill -9 at moments spread over a build, then once more to the end: the contents are those of an undisturbed build,
and nothing is left behind, neither file nor process."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration


def test_a_build_killed_again_and_again_ends_with_the_same_contents(
    spawn: Callable[..., "subprocess.Popen[str]"],
    goes_on: Callable[[Path], None],
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
        with spawn("build", data=data, FLAWBENCH_WORKERS="2") as build:
            wait_for(lambda reached=reached, build=build: reached() or build.poll() is not None, 120)
            build.kill()
    goes_on(data)
    assert _leftovers(data) == []
    wait_for(lambda: not processes_of(data), 10)


def _count(data: Path, pattern: str) -> int:
    return sum(1 for _ in (data / "objects").glob(pattern))


def _leftovers(data: Path) -> list[Path]:
    """Temporary files, and entries of the releases folder that are no release."""
    temporary = list(data.rglob("*.tmp"))
    return temporary + [path for path in (data / "releases").iterdir() if not (path / "manifest.json").is_file()]
