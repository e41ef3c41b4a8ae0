"""Two builds of one name at once: the second waits, says so, and finds everything done."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

FLAWBENCH = Path(sys.executable).parent / "flawbench"


def test_the_second_of_two_builds_waits_for_the_first_and_makes_nothing_twice(
    starter: Path,
    command: Callable[..., subprocess.CompletedProcess[str]],
    environment: Mapping[str, str],
    contents: Callable[[Path], object],
    data: Path,
) -> None:
    builds = [
        subprocess.Popen(
            [FLAWBENCH, "build"],
            cwd=PROJECT,
            env={**environment, "FLAWBENCH_DATA": str(data), "FLAWBENCH_WORKERS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    told = [build.communicate(timeout=300)[1] for build in builds]
    assert [build.returncode for build in builds] == [0, 0]
    assert sum("is made by process" in text for text in told) == 1
    made = command("sql", "--json", "SELECT DISTINCT run_id FROM shards", data=data).stdout
    assert len(json.loads(made)) == 1
    assert contents(data) == contents(starter)
