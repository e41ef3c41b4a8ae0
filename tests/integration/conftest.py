"""One Prefect server for all tests of this folder, and the commands as a user runs them: in processes of their own."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest
import pytest_socket

from tasks.guard import PROJECT
from tasks.server import server_environment, started_server

FLAWBENCH = Path(sys.executable).parent / "flawbench"


class Command(Protocol):
    def __call__(self, *arguments: str, data: Path, check: bool = True) -> "subprocess.CompletedProcess[str]": ...


class Contents(NamedTuple):
    """What a build consists of, free of times, paths and runs: to be equal however it was made."""

    members: list[tuple[str, str, str | None, int]]
    manifests: dict[str, bytes]
    pictures: set[str]


def find_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def unused_port() -> Callable[[], int]:
    return find_port


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Generator[Mapping[str, str], None, None]:
    """For processes that use the session's server."""
    pytest_socket.enable_socket()
    folder = tmp_path_factory.mktemp("server")
    with started_server(folder, find_port()) as server:
        yield {**os.environ, **server_environment(folder / "client", server.api)}


@pytest.fixture(scope="session")
def command(environment: Mapping[str, str]) -> Command:
    """Runs `flawbench ARGUMENTS` with a data folder. The suite itself keeps each core busy: one process works."""
    settings = {**environment, "FLAWBENCH_LOCK_TIMEOUT_SECONDS": "5", "FLAWBENCH_WORKERS": "1"}

    def run(*arguments: str, data: Path, check: bool = True) -> "subprocess.CompletedProcess[str]":
        result = subprocess.run(
            [str(FLAWBENCH), *arguments],
            cwd=PROJECT,
            env={**settings, "FLAWBENCH_DATA": str(data)},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        if check and result.returncode:
            pytest.fail(f"flawbench {' '.join(arguments)} ended with {result.returncode}:\n{result.stderr}")
        return result

    return run


@pytest.fixture(scope="session")
def contents(command: Command) -> Callable[[Path], Contents]:
    def read(data: Path) -> Contents:
        query = "SELECT kind, item_id, subtype, rank FROM build_items WHERE kind <> 'release' ORDER BY ALL"
        rows = json.loads(command("sql", "--json", query, data=data).stdout)
        return Contents(
            [(row["kind"], row["item_id"], row["subtype"], row["rank"]) for row in rows],
            {path.parent.name: path.read_bytes() for path in data.glob("releases/*/manifest.json")},
            {path.name for path in data.glob("objects/pictures/*/*")},
        )

    return read


@pytest.fixture(scope="session")
def starter(command: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a whole build of the starter set, made once without any disturbance."""
    data = tmp_path_factory.mktemp("starter")
    command("build", data=data)
    return data


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture(scope="session")
def wait_for() -> Callable[[Callable[[], bool], float], None]:
    def wait(condition: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not within {seconds} s"
            time.sleep(0.05)

    return wait


@pytest.fixture(scope="session")
def processes_of() -> Callable[[Path], dict[int, str]]:
    """Number and command of each running process that works on a data folder."""

    def find(data: Path) -> dict[int, str]:
        found: dict[int, str] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environ, command = (folder / "environ").read_bytes(), (folder / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
            if f"FLAWBENCH_DATA={data}\0".encode() in environ:
                found[int(folder.name)] = command.replace(b"\0", b" ").decode()
        return found

    return find
