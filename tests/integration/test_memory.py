"""The memory that the benchmarks report is that of the process which they watch."""

import subprocess
import sys

import pytest

from benchmarks.memory import find_peak_mb, peak_watched

pytestmark = pytest.mark.integration

LARGE = 160  # MB
WAIT = "import sys; sys.stdout.write('.'); sys.stdout.flush(); sys.stdin.read()"
HOLD = f"b'x' * ({LARGE} << 20); {WAIT}"
START = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLD!r}])"


def start(code: str) -> "subprocess.Popen[bytes]":
    """Returns once the code has come to its wait."""
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"."
    return process


def test_the_peak_of_a_process_is_its_own_and_not_that_of_the_process_that_started_it() -> None:
    held = b"x" * (LARGE << 20)
    with start(WAIT) as process:
        assert 0 < find_peak_mb(process.pid) < LARGE
        process.communicate()
    assert find_peak_mb(process.pid) == 0
    del held


def test_what_a_watched_process_starts_counts() -> None:
    with start(START) as process:
        with peak_watched(process.pid) as peak:
            pass
        process.communicate()
    assert peak.mb > LARGE
