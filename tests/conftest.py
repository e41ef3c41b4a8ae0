"""Fixtures for all tests. Test data outside the project is named by FLAWBENCH_SHARED."""

import atexit
import gc
import os
import signal
import socket

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(_name, "1")  # tests run in several processes: threads of one would only wait for another
# As commands set it: once Prefect is imported our log lines go to it too, which complains outside of a run.
os.environ.setdefault("PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW", "ignore")

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import hypothesis
import numpy as np
import pytest
import pytest_socket
from warm_commands import Warm, started_warm

from core.pictures import Pixels

# No deadline: how long an example takes says what else runs. The quick profile tries the same examples in every run, so
# that a test which fails tells of a change; the thorough one (CONTRIBUTING.md) looks for new ones.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=30, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=300)
hypothesis.settings.load_profile("quick")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a suite that a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # its commands would ignore Ctrl-C as well
gc.disable()  # until all is imported: what an import makes stays, and looking through it again and again takes seconds

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real source records; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("FLAWBENCH_SHARED", ROOT.parent / "shared"))
    if not (folder / "sources").is_dir():
        pytest.skip(f"no real source records: FLAWBENCH_SHARED names {folder}")
    return folder


@pytest.fixture(scope="session")
def lacks() -> Callable[[str], NoReturn]:
    """Told what is not installed, it skips; where FLAWBENCH_SERVICES is `required`, all is meant to be and it fails."""
    return _lack


def _lack(what: str) -> NoReturn:
    if os.environ.get("FLAWBENCH_SERVICES") == "required":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


def find_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def unused_port() -> Callable[[], int]:
    return find_port


@pytest.fixture(scope="session")
def prefect_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """What leads commands to one Prefect server for all tests of this process: each would start its own."""
    from tasks.server import server_environment, started_server  # loads Prefect, which unit tests need not wait for

    pytest_socket.enable_socket()
    folder = tmp_path_factory.mktemp("server")
    with started_server(folder, find_port()) as server:
        yield server_environment(folder / "client", server.api)


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """Runs commands in processes that have loaded the program before."""
    with started_warm(ROOT) as started:
        yield started


@pytest.fixture(params=[(16, 16), (17, 90), (240, 161), (500, 400)], ids=str)
def noise(request: pytest.FixtureRequest) -> Pixels:
    """A picture with an area that is empty, in several sizes."""
    height, width = request.param
    picture = np.random.default_rng(height * width).integers(0, 256, (height, width, 3), dtype=np.uint8)
    picture[: height // 2, : width // 3] = 255
    return picture


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores, but for unit tests alone: half of what the others take is waiting for servers and
    other processes."""
    waiting = not all("tests/unit" in name for name in config.args)
    return (os.cpu_count() or 1) + waiting


def pytest_configure(config: pytest.Config) -> None:
    """By the end a process of pytest-xdist has reported all: it would spend two seconds on freeing what it imported."""
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 10, 10)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Unit tests reach no network: only what is marked may open sockets."""
    if any(item.get_closest_marker(name) for name in ("integration", "services")):
        pytest_socket.enable_socket()
    else:
        pytest_socket.disable_socket(allow_unix_socket=True)
