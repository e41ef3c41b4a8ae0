"""A real Label Studio: the database is made once per run (40 s) and copied for each server (8 s). A developer who names
a folder by FLAWBENCH_DESK_TEMPLATE keeps it from run to run."""

import fcntl
import os
import shutil
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from annotation.label_studio.client import Client
from annotation.label_studio.server import SERVER_VERSION, Server, copy_desk, serve_desk

StartDesk = Callable[[Path], AbstractContextManager[Server]]


@pytest.fixture(scope="session")
def desk_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was started once and is stopped again."""
    if shutil.which("uvx") is None:
        pytest.skip("no uvx to run Label Studio with")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    template = Path(os.environ.get("FLAWBENCH_DESK_TEMPLATE", shared / "desk-template")) / SERVER_VERSION
    template.mkdir(parents=True, exist_ok=True)
    with (template.parent / f"{SERVER_VERSION}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (template / "made").exists():
            with serve_desk(template / "desk", template):
                pass
            (template / "made").touch()
    return template / "desk"


@pytest.fixture(scope="session")
def picture_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The document root of the servers: an object store with a folder `pictures`."""
    root = tmp_path_factory.mktemp("objects")
    (root / "pictures").mkdir()
    return root


@pytest.fixture(scope="session")
def start_desk(desk_template: Path, picture_root: Path) -> StartDesk:
    """Starts a server of its own on a folder, which is made from the template where it is not there."""

    def start(folder: Path) -> AbstractContextManager[Server]:
        if not folder.exists():
            copy_desk(desk_template, folder)
        return serve_desk(folder, picture_root)

    return start


@pytest.fixture(scope="session")
def desk(start_desk: StartDesk, tmp_path_factory: pytest.TempPathFactory) -> Generator[Server, None, None]:
    """One server for all tests of this process: what a test changes for all others needs one of its own."""
    with ExitStack() as stack:
        yield stack.enter_context(start_desk(tmp_path_factory.mktemp("desk") / "desk"))


@pytest.fixture(scope="session")
def client(desk: Server) -> Generator[Client, None, None]:
    """As the administrator of `desk`."""
    with Client(desk.url, desk.token) as connected:
        yield connected
