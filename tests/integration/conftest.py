"""The commands as a user runs them: in processes of their own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
from typer.testing import CliRunner
from warm_commands import Warm, WarmProcess

from cli.commands import app
from core.model_specs import ModelsRecipe
from core.recipe import Recipe
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from storage.lineage import Lineage
from storage.runs import RunInfo
from tasks.guard import PROJECT

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
    def __call__(self, models: ModelsRecipe, folder: Path, rows: Iterable[int], **job: object) -> WarmProcess: ...


class Contents(NamedTuple):
    """What a build consists of, free of times, paths and runs: to be equal however it was made."""

    members: list[tuple[str, str, str | None, int]]
    manifests: dict[str, bytes]
    pictures: set[str]


@pytest.fixture(scope="session")
def environment(prefect_environment: Mapping[str, str]) -> Mapping[str, str]:
    """For processes that use the session's server. The suite itself keeps each core busy: one process works."""
    return {**os.environ, **prefect_environment, "FLAWBENCH_WORKERS": "1"}


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
def command(warm: Warm, environment: Mapping[str, str]) -> Command:
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
def ask_rows(warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> AskRows:
    """Starts `ask_rows.py` with a job: its output is JSON."""

    def start(models: ModelsRecipe, folder: Path, rows: Iterable[int], **job: object) -> WarmProcess:
        content = {"models": models.model_dump(mode="json"), "folder": str(folder), "rows": list(rows), **job}
        path = tmp_path_factory.mktemp("job") / "job.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return warm.start("ask_rows:main", [str(path)], os.environ)

    return start
