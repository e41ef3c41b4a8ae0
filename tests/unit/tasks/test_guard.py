import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tasks.guard import PROJECT, start_guarded, stop_guarded

# A child that starts a child of its own, writes both process numbers, and ignores nothing.
FAMILY = """
import os, subprocess, sys, time
grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1] + ".new", "w") as file:
    file.write(f"{os.getpid()} {grandchild.pid}")
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""


def wait_until(condition: "object", seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_stopping_the_guard_ends_the_whole_family(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    guard = start_guarded([sys.executable, "-c", FAMILY, str(numbers)], tmp_path / "log", {})
    assert wait_until(numbers.exists)
    family = [int(number) for number in numbers.read_text().split()]
    assert all(is_running(process) for process in family)
    stop_guarded(guard)
    assert wait_until(lambda: not any(is_running(process) for process in family))


def test_a_killed_parent_takes_the_family_with_it(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    parent_code = (
        "import sys, time; from pathlib import Path; from tasks.guard import start_guarded\n"
        f"start_guarded([sys.executable, '-c', {FAMILY!r}, {str(numbers)!r}], Path({str(tmp_path / 'log')!r}), {{}})\n"
        "time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", parent_code], cwd=PROJECT)
    assert wait_until(numbers.exists)
    family = [int(number) for number in numbers.read_text().split()]
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert wait_until(lambda: not any(is_running(process) for process in family))


RUN = """
import signal, sys, time
def store(*_):
    time.sleep(0.5)
    open(sys.argv[1], "w").write("stored")
    sys.exit()
signal.signal(signal.SIGTERM, store)
open(sys.argv[1] + ".ready", "w")
time.sleep(60)
"""
WORKER = """
import signal, subprocess, sys
run = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], start_new_session=True)
def end(*_):
    run.kill()
    sys.exit()
signal.signal(signal.SIGINT, end)
run.wait()
signal.pause()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="runs are found in /proc")
def test_a_run_of_a_worker_may_store_what_is_on_its_way_before_the_worker_ends(tmp_path: Path) -> None:
    stored, ready = tmp_path / "stored", tmp_path / "stored.ready"
    guard = start_guarded([sys.executable, "-c", WORKER, RUN, str(stored)], tmp_path / "log", {})
    assert wait_until(ready.exists)
    stop_guarded(guard)
    assert stored.read_text(encoding="utf-8") == "stored"
