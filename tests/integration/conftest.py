"""One Prefect server for all tests of this folder, and the commands as a user runs them: in processes of their own."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
import pytest_socket
from typer.testing import CliRunner

from cli.commands import app
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from storage.lineage import Lineage
from storage.runs import RunInfo
from tasks.guard import PROJECT
from tasks.server import server_environment, started_server
from tests.warm_commands import WarmCommands

FLAWBENCH = Path(sys.executable).parent / "flawbench"


Query = Callable[[Path, str], list[dict[str, Any]]]


class Spawn(Protocol):
    def __call__(self, *arguments: str, data: Path, **variables: str) -> "subprocess.Popen[str]": ...


class Command(Protocol):
    def __call__(
        self, *arguments: str, data: Path, check: bool = True, **variables: str
    ) -> "subprocess.CompletedProcess[str]": ...


class Answer(Protocol):
    def __call__(self, *arguments: str, data: Path) -> str: ...


class AskRows(Protocol):
    def __call__(
        self, models: ModelsRecipe, folder: Path, rows: Iterable[int], **job: object
    ) -> "subprocess.Popen[str]": ...


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
    """For processes that use the session's server. The suite itself keeps each core busy: one process works."""
    pytest_socket.enable_socket()
    folder = tmp_path_factory.mktemp("server")
    with started_server(folder, find_port()) as server:
        yield {**os.environ, **server_environment(folder / "client", server.api), "FLAWBENCH_WORKERS": "1"}


@pytest.fixture(scope="session")
def spawn(environment: Mapping[str, str]) -> Spawn:
    """Starts `flawbench ARGUMENTS` with a data folder and further variables."""

    def start(*arguments: str, data: Path, **variables: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(FLAWBENCH), *arguments],
            cwd=PROJECT,
            env={**environment, "FLAWBENCH_DATA": str(data), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture(scope="session")
def command(warm: WarmCommands, environment: Mapping[str, str]) -> Command:
    """Runs `flawbench ARGUMENTS` to its end."""

    def run(*arguments: str, data: Path, check: bool = True, **variables: str) -> "subprocess.CompletedProcess[str]":
        done = warm.run(arguments, {**environment, "FLAWBENCH_DATA": str(data), **variables})
        if check and done.returncode:
            pytest.fail(f"flawbench {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")
        return done

    return run


@pytest.fixture(scope="session")
def answer() -> Answer:
    """What `flawbench ARGUMENTS` prints, of commands that only read: a process of its own takes longer to start than
    they take to answer."""

    def run(*arguments: str, data: Path) -> str:
        variables = {"FLAWBENCH_DATA": str(data)}
        return CliRunner().invoke(app, list(arguments), env=variables, catch_exceptions=False).stdout

    return run


@pytest.fixture(scope="session")
def query(answer: Answer) -> Query:
    """The rows that SQL finds in the lineage of a data folder."""
    return lambda data, sql: json.loads(answer("sql", "--json", sql, data=data))


@pytest.fixture(scope="session")
def contents(query: Query) -> Callable[[Path], Contents]:
    def read(data: Path) -> Contents:
        sql = "SELECT kind, item_id, subtype, rank FROM build_items WHERE kind <> 'release' ORDER BY ALL"
        return Contents(
            [(row["kind"], row["item_id"], row["subtype"], row["rank"]) for row in query(data, sql)],
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


@pytest.fixture(scope="session")
def goes_on(starter: Path, command: Command, contents: Callable[[Path], Contents]) -> Callable[[Path], None]:
    """Asserts that the same command makes of what a stopped build left what an undisturbed build is, and that no
    temporary file and nothing but releases is left."""

    def build(data: Path) -> None:
        command("build", data=data)
        assert contents(data) == contents(starter)
        half = [path for path in (data / "releases").iterdir() if not (path / "manifest.json").is_file()]
        assert [*data.rglob("*.tmp"), *half] == []

    return build


@pytest.fixture(scope="session")
def begin_build() -> Callable[[Path], tuple[Lineage, str]]:
    """In a data folder, without items: its lineage and its run, which has not ended."""

    def begin(folder: Path) -> tuple[Lineage, str]:
        lineage = Lineage(folder / "lineage.duckdb", 20.0)
        recipe = Recipe.model_validate(
            {"name": "small", "sources": [{"reader": "starter"}], "targets": {"ambiguity": 1}}
        )
        run = RunInfo(
            build="small",
            flow="build-benchmark",
            recipe_id=lineage.add_recipe(recipe),
            code_commit="c0ffee",
            seed=42,
            parameters="{}",
            started=datetime(2026, 11, 30, tzinfo=UTC),
        )
        return lineage, lineage.start_run(run)

    return begin


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


@pytest.fixture(scope="module")
def running() -> Iterator[StartedFaultServer]:
    """One fault server for all tests of a file."""
    with started_fault_server() as server:
        yield server


@pytest.fixture
def server(running: StartedFaultServer) -> StartedFaultServer:
    """Without the faults and the log of the test before."""
    running.set(FaultPlan())
    running.reset()
    return running


@pytest.fixture(scope="session")
def ask_rows(root: Path, tmp_path_factory: pytest.TempPathFactory) -> AskRows:
    """Starts `ask_rows.py` with a job: its output is JSON."""

    def start(models: ModelsRecipe, folder: Path, rows: Iterable[int], **job: object) -> "subprocess.Popen[str]":
        content = {"models": models.model_dump(mode="json"), "folder": str(folder), "rows": list(rows), **job}
        path = tmp_path_factory.mktemp("job") / "job.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("ask_rows.py")), str(path)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
