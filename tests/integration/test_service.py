"""`flawbench up` with the literal command of the deployment, and kill -9 of each of its processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tasks.guard import PROJECT
from tasks.health import answers
from tasks.server import server_environment

pytestmark = pytest.mark.integration

BIN = Path(sys.executable).parent


class Service(NamedTuple):
    process: "subprocess.Popen[bytes]"
    log: Path
    environment: Mapping[str, str]
    api: str
    data: Path


@pytest.fixture
def service(
    tmp_path: Path, unused_port: Callable[[], int], wait_for: Callable[[Callable[[], bool], float], None]
) -> Generator[Service, None, None]:
    api, data, log = f"http://127.0.0.1:{unused_port()}/api", tmp_path / "service", tmp_path / "up.log"
    environment = {**os.environ, **server_environment(data / "client", api), "FLAWBENCH_DATA": str(data)}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [BIN / "flawbench", "up"], cwd=PROJECT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        wait_for(lambda: "ready" in log.read_text() or process.poll() is not None, 120)
        assert process.poll() is None, log.read_text()
        yield Service(process, log, environment, api, data)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def test_the_deployment_makes_the_same_contents_and_one_interrupt_stops_all(
    service: Service,
    starter: Path,
    contents: Callable[[Path], object],
    processes_of: Callable[[Path], dict[int, str]],
    wait_for: Callable[[Callable[[], bool], float], None],
) -> None:
    run = subprocess.run(
        [BIN / "prefect", "deployment", "run", "build-benchmark", "--watch"],
        cwd=PROJECT,
        env=service.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert contents(service.data) == contents(starter)
    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(timeout=60) == 0, service.log.read_text()
    assert not answers(service.api)
    wait_for(lambda: not processes_of(service.data), 10)


@pytest.mark.parametrize("victim", ["prefect.engine", "worker start", "server start"], ids=["flow", "worker", "server"])
def test_a_killed_process_of_the_service_costs_nothing_but_time(
    victim: str,
    service: Service,
    starter: Path,
    command: Callable[..., object],
    contents: Callable[[Path], object],
    processes_of: Callable[[Path], dict[int, str]],
    wait_for: Callable[[Callable[[], bool], float], None],
) -> None:
    subprocess.run(
        [BIN / "prefect", "deployment", "run", "build-benchmark/build-benchmark"],
        cwd=PROJECT,
        env=service.environment,
        capture_output=True,
        check=True,
    )
    wait_for(lambda: len(list(service.data.glob("objects/parts/inject/*"))) >= 3, 120)
    victims = [
        number for number, text in processes_of(service.data).items() if victim in text and "tasks.guard" not in text
    ]
    assert victims, processes_of(service.data)
    for number in victims:
        os.kill(number, signal.SIGKILL)
    service.process.send_signal(signal.SIGINT)
    service.process.wait(timeout=60)
    wait_for(lambda: not processes_of(service.data), 30)
    command("build", data=service.data)
    assert contents(service.data) == contents(starter)
