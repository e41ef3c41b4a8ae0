"""`flawbench up` with the literal command of the deployment, and kill -9 of each of its processes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tasks.guard import PROJECT
from tasks.health import answers
from tasks.server import server_environment

pytestmark = pytest.mark.integration

BIN = Path(sys.executable).parent
Wait = Callable[[Callable[[], bool], float], None]
Processes = Callable[[Path], dict[int, str]]


class Service(NamedTuple):
    process: "subprocess.Popen[bytes]"
    log: Path
    environment: Mapping[str, str]
    api: str
    data: Path


Start = Callable[[str], Service]


@pytest.fixture
def start(tmp_path: Path, wait_for: Wait) -> Generator[Start, None, None]:
    """`flawbench up` for this API, ended with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def run(api: str) -> Service:
        data, log = tmp_path / "service", tmp_path / "up.log"
        environment = {**os.environ, **server_environment(data / "client", api), "FLAWBENCH_DATA": str(data)}
        with log.open("wb") as output:
            process = subprocess.Popen(
                [BIN / "flawbench", "up"], cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.STDOUT
            )
        started.append(process)
        wait_for(lambda: "ready" in log.read_text() or process.poll() is not None, 120)
        assert process.poll() is None, log.read_text()
        return Service(process, log, environment, api, data)

    yield run
    for process in started:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


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


def run_deployment(service: Service, *options: str) -> None:
    run = subprocess.run(
        [BIN / "prefect", "deployment", "run", "build-benchmark", *options],
        cwd=PROJECT,
        env=service.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def kill(victim: str, data: Path, processes_of: Processes, wait_for: Wait) -> None:
    """kill -9 of the processes with this text in their command, in the middle of the build of this folder."""
    wait_for(lambda: len(list(data.glob("objects/parts/inject/*"))) >= 3, 120)
    running = processes_of(data)
    victims = [number for number, text in running.items() if victim in text and "tasks.guard" not in text]
    assert victims, running
    for number in victims:
        os.kill(number, signal.SIGKILL)


def test_a_service_makes_the_same_contents_outlives_a_killed_flow_and_stops_at_one_interrupt(
    start: Start,
    own_api: str,
    starter: Path,
    data: Path,
    command: Callable[..., object],
    contents: Callable[[Path], object],
    processes_of: Processes,
    wait_for: Wait,
) -> None:
    service = start(own_api)
    run_deployment(service, "--watch")
    assert contents(service.data) == contents(starter)

    elsewhere = {"FLAWBENCH_DATA": str(data)}
    run_deployment(service, "--job-variable", f"env={json.dumps(elsewhere)}")
    kill("prefect.engine", data, processes_of, wait_for)
    crashed = {"flow_runs": {"state": {"type": {"any_": ["CRASHED"]}}}}
    wait_for(lambda: len(httpx.post(f"{own_api}/flow_runs/filter", json=crashed).json()) == 1, 60)
    wait_for(lambda: not processes_of(data), 30)
    command("build", data=data)
    assert contents(data) == contents(starter)

    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(timeout=60) == 0, service.log.read_text()
    assert not answers(own_api)
    wait_for(lambda: not processes_of(service.data), 10)


@pytest.mark.usefixtures("tables")
def test_a_killed_server_ends_the_service_and_costs_nothing_but_time(
    start: Start,
    own_api: str,
    starter: Path,
    command: Callable[..., object],
    contents: Callable[[Path], object],
    processes_of: Processes,
    wait_for: Wait,
) -> None:
    service = start(own_api)
    run_deployment(service)
    kill("server start", service.data, processes_of, wait_for)
    expect_end("The server ended by itself.", service, processes_of, wait_for)
    command("build", data=service.data)
    assert contents(service.data) == contents(starter)


def test_a_killed_worker_ends_the_service_but_no_server_that_was_there_and_costs_nothing_but_time(
    start: Start,
    environment: Mapping[str, str],
    starter: Path,
    command: Callable[..., object],
    contents: Callable[[Path], object],
    processes_of: Processes,
    wait_for: Wait,
) -> None:
    service = start(environment["PREFECT_API_URL"])
    run_deployment(service)
    kill("worker start", service.data, processes_of, wait_for)
    expect_end("The worker ended by itself.", service, processes_of, wait_for)
    assert answers(service.api)
    command("build", data=service.data)
    assert contents(service.data) == contents(starter)


def expect_end(message: str, service: Service, processes_of: Processes, wait_for: Wait) -> None:
    """Of the whole service, by itself."""
    assert service.process.wait(timeout=60) == 2, service.log.read_text()
    assert message in service.log.read_text()
    wait_for(lambda: not processes_of(service.data), 30)
