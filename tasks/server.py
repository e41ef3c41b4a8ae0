"""The Prefect server that a command uses: the one that answers, or else one started for as long as the command runs,
with a database folder of its own. Prefect's ephemeral server is never used: it starts once for every process."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker
from prefect.settings import PREFECT_API_URL, temporary_settings

from core.errors import OrchestrationError, StorageError
from tasks.guard import start_guarded, stop_guarded
from tasks.health import DEFAULT_API, answers

_START_SECONDS = 180.0
_DRAIN_SECONDS = 5.0
_SQLITE_PATH_BYTES = 504  # MAX_PATHNAME, less the endings of what it keeps beside a database


def configured_api() -> str:
    """From PREFECT_API_URL, the profile in use, or prefect.toml of this folder."""
    return PREFECT_API_URL.value() or DEFAULT_API


@contextmanager
def some_server(data: Path) -> Generator[str, None, None]:
    """The URL of a server that answers, for the flows run in this process. Raises OrchestrationError."""
    api = configured_api()
    if answers(api):
        with temporary_settings({PREFECT_API_URL: api}):
            yield api
        return
    with started_server(data, _free_port()) as own, temporary_settings({PREFECT_API_URL: own.api}):
        threading.Thread(target=_end_with_server, args=(own.process,), daemon=True).start()
        try:
            yield own.api
        finally:
            _send_what_waits()
            _ending.set()


class StartedServer(NamedTuple):
    api: str
    process: "subprocess.Popen[bytes]"


@contextmanager
def started_server(data: Path, port: int) -> Generator[StartedServer, None, None]:
    """A server of our own on this port of the loopback address, gone at the end. Raises OrchestrationError, and
    StorageError where the data folder cannot hold its database."""
    api = f"http://127.0.0.1:{port}/api"
    _require_place(data)
    home = (data / "prefect").resolve()
    log = home / "server.log"
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    process = start_guarded(command, log, server_environment(home, api))
    try:
        _await(process, api, log)
        yield StartedServer(api, process)
    finally:
        stop_guarded(process)


def server_environment(home: Path, api: str) -> dict[str, str]:
    return {
        "PREFECT_HOME": os.fspath(home),
        "PREFECT_API_URL": api,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


def port_of(api: str) -> int | None:
    """The port of an address on this machine, None for another machine."""
    parts = urlsplit(api)
    return (parts.port or 80) if parts.hostname in ("127.0.0.1", "localhost", "::1") else None


_ending = threading.Event()


def _end_with_server(process: "subprocess.Popen[bytes]") -> None:
    """Without its server a flow waits for minutes and then fails in ways of its own: as after a kill, what is stored
    stays, and the processes that work end by themselves."""
    while not _ending.wait(1.0):
        if process.poll() is not None and not _ending.is_set():
            sys.stderr.write("flawbench: The Prefect server of this run ended.\nRun the same command again.\n")
            sys.stderr.flush()
            os._exit(2)


def _send_what_waits() -> None:
    """Logs and events go out in the background: those still waiting would meet a server that is gone."""
    APILogWorker.drain_all(timeout=_DRAIN_SECONDS)
    EventsWorker.drain_all(timeout=_DRAIN_SECONDS)


def _require_place(data: Path) -> None:
    """The folder that the user named is told, not what lies in it."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        writable = os.access(data, os.W_OK | os.X_OK)
    except OSError:
        writable = False
    if not writable:
        raise StorageError(
            f"The data folder {data} cannot be written.",
            "Give this user write access to it, or set FLAWBENCH_DATA to another one.",
        )
    excess = len(os.fsencode(data.resolve() / "prefect" / "prefect.db")) - _SQLITE_PATH_BYTES
    if excess > 0:
        raise StorageError(
            f"The path of the data folder {data} is {excess} bytes too long for the database of Prefect.",
            "Set FLAWBENCH_DATA to a shorter one.",
        )


def _await(process: "subprocess.Popen[bytes]", api: str, log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while not answers(api):
        if not log.exists():
            raise StorageError(f"{log.parent} was removed while a server started in it.", "Run the same command again.")
        if process.poll() is not None or time.monotonic() > end:
            raise OrchestrationError(
                f"The Prefect server for {api} did not start.",
                f"See the end of {log}, or start one with `prefect server start` and run the command again.",
            )
        time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
