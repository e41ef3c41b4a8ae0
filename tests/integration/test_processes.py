"""Processes that others start: what ends them, and what they leave when they are killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import OrchestrationError, StorageError
from export.staging import stage_release
from tasks.guard import PROJECT, start_guarded, stop_guarded
from tasks.processes import cpu_processes

pytestmark = pytest.mark.integration

WaitFor = Callable[[Callable[[], bool], float], None]

# A child that starts a child of its own, writes both process numbers, and ignores nothing.
FAMILY = """
import os, subprocess, sys, time
grandchild = subprocess.Popen(["sleep", "600"])
with open(sys.argv[1] + ".new", "w") as file:
    file.write(f"{os.getpid()} {grandchild.pid}")
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_stopping_the_guard_ends_the_whole_family(tmp_path: Path, wait_for: WaitFor) -> None:
    numbers = tmp_path / "numbers"
    guard = start_guarded([sys.executable, "-c", FAMILY, str(numbers)], tmp_path / "log", {})
    wait_for(numbers.exists, 20)
    family = [int(number) for number in numbers.read_text().split()]
    assert all(is_running(process) for process in family)
    stop_guarded(guard)
    wait_for(lambda: not any(is_running(process) for process in family), 20)


def test_a_killed_parent_takes_the_family_with_it(tmp_path: Path, wait_for: WaitFor) -> None:
    numbers = tmp_path / "numbers"
    parent_code = (
        "import sys, time; from pathlib import Path; from tasks.guard import start_guarded\n"
        f"start_guarded([sys.executable, '-c', {FAMILY!r}, {str(numbers)!r}], Path({str(tmp_path / 'log')!r}), {{}})\n"
        "time.sleep(600)"
    )
    parent = subprocess.Popen([sys.executable, "-c", parent_code], cwd=PROJECT)
    wait_for(numbers.exists, 20)
    family = [int(number) for number in numbers.read_text().split()]
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    wait_for(lambda: not any(is_running(process) for process in family), 20)


@pytest.mark.skipif(sys.platform != "linux", reason="a request to the kernel of Linux")
def test_a_killed_guard_takes_its_command_with_it(tmp_path: Path, wait_for: WaitFor) -> None:
    number = tmp_path / "number"
    written = f"echo $$ > {number}.new && mv {number}.new {number} && exec sleep 600"
    guard = start_guarded(["sh", "-c", written], tmp_path / "log", {})
    wait_for(number.exists, 20)
    command = int(number.read_text())
    assert is_running(command)
    guard.kill()
    guard.wait()
    wait_for(lambda: not is_running(command), 20)


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
def test_a_run_of_a_worker_may_store_what_is_on_its_way_before_the_worker_ends(
    tmp_path: Path, wait_for: WaitFor
) -> None:
    stored, ready = tmp_path / "stored", tmp_path / "stored.ready"
    guard = start_guarded([sys.executable, "-c", WORKER, RUN, str(stored)], tmp_path / "log", {})
    wait_for(ready.exists, 20)
    stop_guarded(guard)
    assert stored.read_text(encoding="utf-8") == "stored"


def test_work_in_another_process_comes_back_as_its_result_its_error_or_the_news_that_it_was_killed() -> None:
    with cpu_processes(1) as processes:
        worker = processes.call(os.getpid)
        assert worker != os.getpid()
        with pytest.raises(StorageError) as caught:
            processes.call(_raise_storage_error)
        assert (caught.value.message, caught.value.fix) == ("The disk is full.", "Free space.")
        with pytest.raises(OrchestrationError, match="Run the same command again"):
            processes.call(os.kill, worker, signal.SIGKILL)


def _raise_storage_error() -> None:
    raise StorageError("The disk is full.", "Free space.")


STUBBORN = """
import asyncio
from models.loop import LoopThread

async def never_ends():
    print("running", flush=True)
    while True:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            print("cancelled\\n", end="", flush=True)

class Told(LoopThread):
    def close(self):
        print("closing\\n", end="", flush=True)  # in one piece: two threads print
        super().close()

with Told() as loop:
    loop.run(never_ends())
"""


def test_a_second_interrupt_ends_a_process_at_once_whatever_its_coroutines_do() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUBBORN], cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "running\n"
            process.send_signal(signal.SIGINT)
            # The interrupted wait and the closing of the loop, which then waits, both cancel, now and then at once.
            assert {process.stdout.readline(), process.stdout.readline()} == {"cancelled\n", "closing\n"}
            process.send_signal(signal.SIGINT)
            assert process.wait(60) != 0
        finally:
            process.kill()  # else a process that an interrupt does not end would be waited for without end


def test_a_killed_writer_leaves_no_final_folder_and_no_lock(tmp_path: Path, root: Path) -> None:
    final = tmp_path / "release"
    script = f"""
import os, signal
from pathlib import Path
from export.staging import stage_release
with stage_release(Path({str(final)!r})) as partial:
    (partial / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=root, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == [".release.partial"]
    with stage_release(final) as partial:
        (partial / "whole").write_text("whole")
    assert [path.name for path in final.iterdir()] == ["whole"]
    assert list(tmp_path.iterdir()) == [final]


def test_a_deployed_run_that_was_ended_does_not_wait_for_a_server_that_is_gone(unused_port: Callable[[], int]) -> None:
    """Where it ends its process ends too: Prefect would try for half a minute to tell the server."""
    code = (
        "from prefect.exceptions import TerminationSignal\nfrom tasks.stopping import ended_by_worker\n"
        "with ended_by_worker():\n    raise TerminationSignal(signal=15)"
    )
    deployed = {"PREFECT__FLOW_RUN_ID": "run", "PREFECT_API_URL": f"http://127.0.0.1:{unused_port()}/api"}
    ended = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=os.environ | deployed, check=False)
    assert ended.returncode == 128 + signal.SIGTERM
