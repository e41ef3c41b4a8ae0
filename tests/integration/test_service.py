"""`flawbench up` with the literal command of the deployment, and kill -9 of each of its processes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tasks.guard import PROJECT
from tasks.health import answers
from tasks.server import server_environment

pytestmark = pytest.mark.integration

BIN = Path(sys.executable).parent
Wait = Callable[[Callable[[], bool], float], None]
Check = Callable[[Path], None]
Start = Callable[[str], "Service"]


@dataclass(frozen=True)
class Service:
    process: "subprocess.Popen[bytes]"
    log: Path
    environment: Mapping[str, str]
    api: str
    data: Path
    processes_of: Callable[[Path], dict[int, str]]
    wait_for: Wait

    def run_deployment(self, *options: str, name: str = "build-benchmark") -> None:
        run = subprocess.run(
            [BIN / "prefect", "deployment", "run", name, *options],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert run.returncode == 0, run.stdout + run.stderr

    def kill(self, victim: str, data: Path) -> None:
        """kill -9 of the processes with this text in their command, in the middle of the build of this folder."""
        self.wait_for(lambda: len(list(data.glob("objects/parts/inject/*"))) >= 3, 120)
        running = self.processes_of(data)
        assert any("prefect.engine" in text for text in running.values()), running
        victims = [number for number, text in running.items() if victim in text and "tasks.guard" not in text]
        assert victims, running
        for number in victims:
            os.kill(number, signal.SIGKILL)

    def expect_end(self, message: str) -> None:
        """Of the whole service, by itself."""
        assert self.process.wait(timeout=60) == 2, self.log.read_text()
        assert message in self.log.read_text()
        self.expect_none(self.data)

    def expect_none(self, data: Path) -> None:
        """No process works on this folder any more."""
        self.wait_for(lambda: not self.processes_of(data), 30)


@pytest.fixture
def start(
    request: pytest.FixtureRequest, tmp_path: Path, processes_of: Callable[[Path], dict[int, str]], wait_for: Wait
) -> Start:
    """`flawbench up` for this API, ended with the test."""

    def run(api: str) -> Service:
        data, log = tmp_path / "service", tmp_path / "up.log"
        environment = {**os.environ, **server_environment(data / "client", api), "FLAWBENCH_DATA": str(data)}
        with log.open("wb") as output:
            process = subprocess.Popen(
                [BIN / "flawbench", "up"], cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.STDOUT
            )
        request.addfinalizer(lambda: process.wait(timeout=60))
        request.addfinalizer(lambda: process.send_signal(signal.SIGINT))  # the last one runs first
        wait_for(lambda: "ready" in log.read_text() or process.poll() is not None, 120)
        assert process.poll() is None, log.read_text()
        return Service(process, log, environment, api, data, processes_of, wait_for)

    return run


@pytest.fixture
def own_api(unused_port: Callable[[], int]) -> str:
    return f"http://127.0.0.1:{unused_port()}/api"


@pytest.fixture
def tables(environment: Mapping[str, str], tmp_path: Path) -> None:
    """Those of the session's server for that of the service, which needs longer to make them than for all else."""
    home = tmp_path / "service" / "prefect"
    home.mkdir(parents=True)
    made = Path(environment["PREFECT_HOME"]).parent / "prefect" / "prefect.db"
    with closing(sqlite3.connect(made)) as source, closing(sqlite3.connect(home / "prefect.db")) as copy:
        source.backup(copy)


def test_a_service_makes_the_same_contents_outlives_a_killed_flow_and_stops_at_one_interrupt(
    start: Start,
    own_api: str,
    starter: Path,
    data: Path,
    contents: Callable[[Path], object],
    goes_on: Check,
    wait_for: Wait,
) -> None:
    service = start(own_api)
    service.run_deployment("--watch")
    assert contents(service.data) == contents(starter)

    variables = f"env={json.dumps({'FLAWBENCH_DATA': str(data)})}"
    service.run_deployment("--job-variable", variables, name="build-benchmark/build-benchmark")  # Prefect's own form
    service.kill("prefect.engine", data)
    crashed = {"flow_runs": {"state": {"type": {"any_": ["CRASHED"]}}}}
    wait_for(lambda: len(httpx.post(f"{own_api}/flow_runs/filter", json=crashed).json()) == 1, 60)
    service.expect_none(data)
    goes_on(data)

    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(timeout=60) == 0, service.log.read_text()
    assert not answers(own_api)
    service.expect_none(service.data)


@pytest.mark.usefixtures("tables")
def test_a_killed_server_ends_the_service_and_costs_nothing_but_time(
    start: Start, own_api: str, goes_on: Check
) -> None:
    service = start(own_api)
    service.run_deployment()
    service.kill("server start", service.data)
    service.expect_end("The server ended by itself.")
    goes_on(service.data)


def test_a_killed_worker_ends_the_service_but_no_server_that_was_there_and_costs_nothing_but_time(
    start: Start, environment: Mapping[str, str], goes_on: Check
) -> None:
    service = start(environment["PREFECT_API_URL"])
    service.run_deployment()
    service.kill("worker start", service.data)
    service.expect_end("The worker ended by itself.")
    assert answers(service.api)
    goes_on(service.data)
