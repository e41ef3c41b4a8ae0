"""Two builds of one name at once: the second waits, says so, and finds everything done."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration


def test_the_second_of_two_builds_waits_for_the_first_and_makes_nothing_twice(
    starter: Path,
    spawn: Callable[..., "subprocess.Popen[str]"],
    query: Callable[[Path, str], list[object]],
    contents: Callable[[Path], object],
    data: Path,
) -> None:
    builds = [spawn("build", data=data) for _ in range(2)]
    told = [build.communicate(timeout=300)[1] for build in builds]
    assert [build.returncode for build in builds] == [0, 0]
    assert sum("is made by process" in text for text in told) == 1
    assert len(query(data, "SELECT DISTINCT run_id FROM shards")) == 1
    assert contents(data) == contents(starter)
