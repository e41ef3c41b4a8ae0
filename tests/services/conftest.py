"""A real Label Studio: the database is made once per run (40 s) and copied for each server (8 s). A developer who names
a folder by FLAWBENCH_DESK_TEMPLATE keeps it from run to run."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
import pytest_socket
import yaml
from typer.testing import CliRunner
from warm_commands import Warm

from annotation.label_studio.client import Client
from annotation.label_studio.server import LOG_FILE, SERVER_VERSION, Server, copy_desk, serve_desk
from cli.commands import app

PROJECT = Path(__file__).resolve().parent.parent.parent
FLAWBENCH = Path(sys.executable).parent / "flawbench"

StartDesk = Callable[[Path], AbstractContextManager[Server]]

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextmanager
def made_once(folder: Path) -> Generator[bool, None, None]:
    """Whether another process has made what is to be made inside; the others wait as long as one is at it."""
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield (folder / "made").exists()
        (folder / "made").touch()


@pytest.fixture(scope="session")
def desk_template(common: Path, lacks: Callable[[str], NoReturn]) -> Path:
    """The folder of a server that was started once and is stopped again."""
    if shutil.which("uvx") is None:
        lacks("no uvx to run Label Studio with")
    template = Path(os.environ.get("FLAWBENCH_DESK_TEMPLATE", common / "desk-template")) / SERVER_VERSION
    with made_once(template) as made:
        if not made:
            probe = ["uvx", "--from", f"label-studio=={SERVER_VERSION}", "python", "-c", ""]
            if subprocess.run(probe, capture_output=True, check=False).returncode:
                lacks("uvx has no Label Studio and cannot fetch it")
            with serve_desk(template / "desk", template):
                pass
    return template / "desk"


@pytest.fixture(scope="session")
def picture_root(common: Path) -> Path:
    """The document root of the servers: an object store with a folder `pictures`."""
    root = common / "objects"
    (root / "pictures").mkdir(parents=True, exist_ok=True)
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


@contextmanager
def open_session(url: str, login: str, password: str) -> Generator[httpx.Client, None, None]:
    with httpx.Client(base_url=url, headers={"Referer": url}, timeout=60) as browser:
        browser.get("/user/login/")
        fields = {"csrfmiddlewaretoken": browser.cookies["csrftoken"], "email": login, "password": password}
        browser.post("/user/login/", data=fields)
        yield browser


@pytest.fixture(scope="session")
def log_in() -> Callable[[str, str, str], AbstractContextManager[httpx.Client]]:
    """At an address, with login and password, as a browser does."""
    return open_session


@dataclass(frozen=True)
class DataFolder:
    """Where commands work, as a user runs them, and the pictures lie where the session's servers read them."""

    folder: Path
    environment: Mapping[str, str]
    warm: Warm

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(FLAWBENCH), *arguments],
            cwd=PROJECT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        done = self.warm.run(arguments, self.environment)
        if check and done.returncode:
            pytest.fail(f"flawbench {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
        return done

    def read(self, *arguments: str) -> Any:
        """The JSON that a command prints which only reads: a process of its own takes longer to start than that."""
        ours = {name: value for name, value in self.environment.items() if name.startswith("FLAWBENCH_")}
        told = CliRunner().invoke(app, [*arguments, "--json"], env=ours, catch_exceptions=False)
        assert told.exit_code == 0, told.output
        return json.loads(told.stdout)

    def where(self, settings: Mapping[str, str]) -> "DataFolder":
        """With more variables in the environment."""
        return replace(self, environment={**self.environment, **settings})

    def copied_to(self, folder: Path) -> "DataFolder":
        """On the same pictures."""
        shutil.copytree(self.folder, folder)
        return replace(self, folder=folder, environment={**self.environment, "FLAWBENCH_DATA": str(folder)})

    def served_by(self, url: str, token: str) -> "DataFolder":
        return self.where({"FLAWBENCH_LABEL_STUDIO_URL": url, "FLAWBENCH_LABEL_STUDIO_TOKEN": token})


def _data_folder(warm: Warm, folder: Path, objects: str) -> DataFolder:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FLAWBENCH_")} | {
        "FLAWBENCH_DATA": str(folder),
        "FLAWBENCH_OBJECTS": objects,
        "PREFECT_API_URL": "http://127.0.0.1:9/api",  # nobody: whatever runs on this machine is left alone
    }
    return DataFolder(folder, environment, warm)


@pytest.fixture(scope="session")
def data_folder(warm: Warm) -> Callable[[Path, str], DataFolder]:
    """By folder and object store."""
    return partial(_data_folder, warm)


@pytest.fixture(scope="session")
def sixty(
    common: Path,
    picture_root: Path,
    data_folder: Callable[[Path, str], DataFolder],
    prefect_environment: Mapping[str, str],
) -> DataFolder:
    """A build of 60 candidates by rules, five of each subtype, called `sixty`; no test changes it."""
    pytest_socket.enable_socket()
    folder = common / "sixty"
    built = data_folder(folder, str(picture_root))
    recipe = yaml.safe_load((PROJECT / "recipes" / "starter.yaml").read_text(encoding="utf-8"))
    recipe |= {"name": "sixty", "targets": dict.fromkeys(recipe["targets"], 5)}
    with made_once(folder) as made:
        if not made:
            (folder / "sixty.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
            built.where(prefect_environment).run("build", "--recipe", str(folder / "sixty.yaml"))
    return built


@pytest.fixture
def reviewed(sixty: DataFolder, tmp_path: Path) -> DataFolder:
    """A copy of `sixty` of the test's own."""
    return sixty.copied_to(tmp_path / "data")


@pytest.fixture(scope="session")
def chromium(lacks: Callable[[str], NoReturn]) -> Mapping[str, Any]:
    """How to launch the browser of annotators."""
    program = shutil.which("chromium")
    if program is None:
        lacks("no chromium for the annotators")
    return {"executable_path": program, "args": _FLAGS}


class CommandedDesk:
    """`flawbench review up` of a data folder."""

    def __init__(self, data: DataFolder, port: int) -> None:
        self.folder = data.folder / "label-studio"
        self.url = f"http://127.0.0.1:{port}"
        self._begin = partial(data.start, "review", "up", "sixty", "--port", str(port))
        self.start()

    def start(self) -> None:
        self._process = self._begin()
        assert self._process.stdout is not None
        told = ""
        while "ready" not in told:
            line = self._process.stdout.readline()
            assert line, f"{told}{self._process.communicate()[1]}"
            told += line
        assert f"{self.url}/user/login/" in told
        assert self.keys["annotators"]
        assert all(one["login"] in told and one["password"] in told for one in self.keys["annotators"])

    @property
    def keys(self) -> dict[str, Any]:
        return json.loads((self.folder / "keys.json").read_text())

    def kill(self) -> None:
        """The server, as a lack of memory would; `up` ends by itself then."""
        for number in _children(self._process.pid):
            os.kill(number, signal.SIGKILL)
        _, told = self._process.communicate(timeout=60)
        assert self._process.returncode == 2
        assert "Label Studio ended by itself" in told

    def stop(self) -> None:
        if self._process.poll() is not None:  # killed, and what came then failed
            return
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0

    def answered(self) -> int:
        return count_requests(self.folder)


def count_requests(desk: Path) -> int:
    """That the server in this folder has answered: each stands in its log twice."""
    return (desk / LOG_FILE).read_text(errors="replace").count('HTTP/1.1"') // 2


@pytest.fixture(scope="session")
def answered() -> Callable[[Path], int]:
    return count_requests


def _children(process: int) -> list[int]:
    found = [
        int(number) for task in Path(f"/proc/{process}/task").glob("*/children") for number in task.read_text().split()
    ]
    return [*(one for child in found for one in _children(child)), *found]


@pytest.fixture(scope="session")
def up(unused_port: Callable[[], int]) -> Callable[[DataFolder], CommandedDesk]:
    """Starts `flawbench review up` on a port of its own."""
    return lambda data: CommandedDesk(data, unused_port())
