"""Two runs of one build at once: the second waits, says so, and finds everything done."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.turns import review_turn

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
    assert sum("A run of build starter is under way in process" in text for text in told) == 1
    assert len(query(data, "SELECT DISTINCT run_id FROM shards")) == 1
    assert contents(data) == contents(starter)


def test_a_second_command_of_a_review_says_that_the_review_is_under_way(
    starter: Path, spawn: Callable[..., "subprocess.Popen[str]"], data: Path
) -> None:
    shutil.copytree(starter, data)
    with review_turn(data, "starter"):
        waiting = spawn("review", "plan", "starter", "--annotators", "ada,ben", data=data)
        assert waiting.stderr
        told = waiting.stderr.readline()
    assert told == f"The review of build starter is under way in process {os.getpid()}: waiting until that ends.\n"
    waiting.communicate(timeout=300)
    assert waiting.returncode == 0
