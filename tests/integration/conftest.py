"""One Prefect server for all tests of this folder, and the commands as a user runs them: in processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_socket

from tasks.guard import PROJECT
from tasks.server import server_environment, started_server

FLAWBENCH = Path(sys.executable).parent / "flawbench"

Command = Callable[..., "subprocess.CompletedProcess[str]"]


class Server(NamedTuple):
    api: str
    environment: Mapping[str, str]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, unused_port: Callable[[], int]) -> Iterator[Server]:
    pytest_socket.enable_socket()
    data = tmp_path_factory.mktemp("server")
    with started_server(data, unused_port()) as api:
        yield Server(api, server_environment(data / "client", api))


@pytest.fixture(scope="session")
def unused_port() -> Callable[[], int]:
    import socket

    def find() -> int:
        pytest_socket.enable_socket()
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            return int(listener.getsockname()[1])

    return find


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def flawbench(server: Server, data: Path) -> Command:
    """Runs `flawbench ARGUMENTS` on the session's server with a data folder of the test's own."""

    def run(*arguments: str, check: bool = True, **environment: str) -> "subprocess.CompletedProcess[str]":
        result = subprocess.run(
            [str(FLAWBENCH), *arguments],
            cwd=PROJECT,
            env={**os.environ, **server.environment, "FLAWBENCH_DATA": str(data), **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        if check and result.returncode:
            pytest.fail(f"flawbench {' '.join(arguments)} ended with {result.returncode}:\n{result.stderr}")
        return result

    return run


@pytest.fixture
def contents(flawbench: Command) -> Callable[[str], Mapping[str, object]]:
    """What a build consists of, free of times, paths and runs: to be equal however it was made."""

    def read(build: str) -> Mapping[str, object]:
        listed = flawbench(
            "sql",
            "--json",
            f"SELECT kind, item_id, subtype, rank FROM build_items WHERE build = '{build}' AND kind <> 'release' "
            "ORDER BY ALL",
        )
        return {"members": json.loads(listed.stdout)}

    return read
