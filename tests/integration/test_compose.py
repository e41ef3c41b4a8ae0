"""The services of docker-compose.yml without a Docker engine: the file is checked by docker-compose, and the command of
each service runs as a plain process, Prefect's server on a real PostgreSQL."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import NoReturn

import pytest
import yaml

from tasks.guard import PROJECT
from tasks.health import answers

pytestmark = [pytest.mark.integration, pytest.mark.services]

BIN = Path(sys.executable).parent
POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))

Wait = Callable[[Callable[[], bool], float], None]


@pytest.fixture
def services() -> Mapping[str, Mapping[str, object]]:
    return yaml.safe_load((PROJECT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


@pytest.fixture
def postgres(unused_port: Callable[[], int], lacks: Callable[[str], NoReturn]) -> Generator[int, None, None]:
    """The port of a PostgreSQL of the test's own. It refuses to run as root, so it runs as the user that Debian's
    package brings."""
    if not POSTGRES:
        lacks("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    folder, port = Path(tempfile.gettempdir()) / f"flawbench-postgres-{os.getpid()}", unused_port()
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*as_user, "mkdir", "-m", "700", folder], check=True, cwd="/")
    try:
        initdb = [*as_user, POSTGRES[-1] / "initdb", "-D", folder / "data", "-U", "prefect", "--auth", "trust"]
        subprocess.run(initdb, check=True, capture_output=True, cwd="/")
        control = [*as_user, POSTGRES[-1] / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log"]
        options = f"-p {port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off"
        subprocess.run([*control, "-o", options, "start"], check=True, capture_output=True, cwd="/")
        try:
            createdb = [
                *as_user,
                POSTGRES[-1] / "createdb",
                "-h",
                "127.0.0.1",
                "-p",
                str(port),
                "-U",
                "prefect",
                "prefect",
            ]
            subprocess.run(createdb, check=True, capture_output=True, cwd="/")
            yield port
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True, cwd="/")
    finally:
        subprocess.run([*as_user, "rm", "-r", folder], check=True, cwd="/")


@pytest.mark.parametrize("profile", [(), ("--profile", "review")], ids=["builds", "review"])
def test_docker_compose_accepts_the_file(profile: tuple[str, ...], lacks: Callable[[str], NoReturn]) -> None:
    compose = shutil.which("docker-compose")
    if compose is None:
        lacks("docker-compose is not installed (Debian: apt-get install docker-compose)")
    command = [compose, *profile, "config", "--quiet"]
    checked = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_the_database_of_label_studio_is_made_once_and_not_without_its_secrets(
    services: Mapping[str, Mapping[str, object]], postgres: int
) -> None:
    """The server itself takes half a minute of the processor to make its tables, so it is not started here."""
    command = [word.replace("$$", "$") for word in services["label-studio-database"]["command"]]  # type: ignore[attr-defined]
    place = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres), "PGUSER": "prefect"}
    secrets = {
        "LABEL_STUDIO_TOKEN": "0" * 40,
        "LABEL_STUDIO_PASSWORD": "a password",
        "LABEL_STUDIO_SECRET_KEY": "a key",
    }
    environment = {"PATH": f"{POSTGRES[-1]}:{os.environ['PATH']}", **place}
    for _ in range(2):
        subprocess.run(command, env=environment | secrets, check=True)
    listed = subprocess.run(
        ["psql", "-Atc", "SELECT datname FROM pg_database"], env=environment, capture_output=True, text=True, check=True
    )
    assert listed.stdout.split().count("label_studio") == 1
    for name in secrets:
        refused = subprocess.run(
            command, env=environment | secrets | {name: ""}, capture_output=True, text=True, check=False
        )
        assert refused.returncode == 1
        assert name in refused.stdout


def test_every_service_of_ours_runs_as_a_plain_process(
    services: Mapping[str, Mapping[str, object]],
    postgres: int,
    unused_port: Callable[[], int],
    wait_for: Wait,
    tmp_path: Path,
) -> None:
    port = unused_port()
    api = f"http://127.0.0.1:{port}/api"
    environment = {
        **os.environ,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": api,
        "FLAWBENCH_DATA": str(tmp_path / "data"),
    }
    database = str(services["server"]["environment"]["PREFECT_API_DATABASE_CONNECTION_URL"])  # type: ignore[index]
    assert "@postgres:5432/prefect" in database
    own = {"PREFECT_API_DATABASE_CONNECTION_URL": f"postgresql+asyncpg://prefect@127.0.0.1:{postgres}/prefect"}
    server = _start(
        _replace(services["server"]["command"], {"0.0.0.0": "127.0.0.1", "4200": str(port)}), environment | own
    )
    try:
        wait_for(lambda: answers(api) or server.poll() is not None, 120)
        assert server.poll() is None
        subprocess.run(services["deploy"]["command"], cwd=PROJECT, env=environment, check=True, capture_output=True)  # type: ignore[call-overload]
        worker = _start(services["worker"]["command"], environment)
        try:
            small = ["-p", "limit=4", "-p", 'subtypes=["missing_image"]']
            run = ["prefect", "deployment", "run", "build-benchmark", *small, "--watch"]
            watched = subprocess.run(
                run, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=240
            )
            assert watched.returncode == 0, watched.stdout + watched.stderr
        finally:
            _stop(worker)
    finally:
        _stop(server)
    assert list((tmp_path / "data" / "releases").glob("starter-*/manifest.json"))


def _replace(command: object, values: Mapping[str, str]) -> list[str]:
    assert isinstance(command, list)
    return [values.get(word, word) for word in command]


def _start(command: object, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    assert isinstance(command, list)
    return subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _stop(process: "subprocess.Popen[bytes]") -> None:
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=60)
