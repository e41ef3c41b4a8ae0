"""Commands in processes of their own that need not load the program: this process has loaded it and forks for each.
Where the start is what is tested, or a whole group of processes, a command is started as a user does."""

import itertools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

_SECONDS = 600
_QUIET = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",  # as `cli.here` sets them before Prefect is imported
    "PREFECT_LOGGING_EXTRA_LOGGERS": "flawbench",
    "DO_NOT_TRACK": "1",
}
_LOADED = (
    "cli.commands",
    "flows.build_benchmark",
    "flows.build_premise_pairs",
    "flows.combine_benchmark",
    "flows.export_benchmark",
    "flows.plan_benchmark",
    "flows.refilter_benchmark",
    "flows.run_injector",
    "export.release",
    "sources.near_texts",
    "tasks.blinding",
    "annotation.label_studio.pushing",
    "annotation.label_studio.pulling",
    "anthropic",
    "s3fs",
    "google.genai",
    "openai",
    "ask_rows",
)


class WarmProcess:
    """As much of `subprocess.Popen` as tests need."""

    returncode: int | None = None

    def __init__(self, warm: "Warm", pid: int, outputs: Sequence[Path]) -> None:
        self.pid = pid
        self._warm, self._outputs = warm, outputs

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        """A process that has ended is left alone."""
        if self.returncode is None:
            self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float = _SECONDS) -> tuple[str, str]:
        """What it wrote to standard output and error. Raises TimeoutExpired."""
        self.returncode = self._warm.wait(self.pid, timeout)
        out, told = (path.read_text(encoding="utf-8") for path in self._outputs)
        return out, told


class Warm:
    """Starts programs of the project in forks of a process that has loaded them."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._asks, self._answers = process.stdin, process.stdout
        self._folder, self._numbers = folder, itertools.count()

    def run(self, arguments: Sequence[str], environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
        """`flawbench ARGUMENTS` to its end, in the folder of the project."""
        process = self.start("cli.main:main", arguments, environment)
        out, told = process.communicate()
        return subprocess.CompletedProcess(arguments, process.returncode or 0, out, told)

    def start(self, program: str, arguments: Sequence[str], environment: Mapping[str, str]) -> WarmProcess:
        """`program`: MODULE:FUNCTION."""
        number = next(self._numbers)
        outputs = [self._folder / f"{number}.{name}" for name in ("out", "told")]
        job = Job(program, list(arguments), dict(environment), [str(path) for path in outputs])
        return WarmProcess(self, self._ask(job._asdict(), _SECONDS), outputs)

    def wait(self, pid: int, timeout: float) -> int:
        """Its status. One that takes too long is killed: its answer would be taken for that to a later question."""
        try:
            return self._ask(pid, timeout)
        except subprocess.TimeoutExpired:
            os.kill(pid, signal.SIGKILL)
            self._answers.readline()
            raise

    def _ask(self, question: object, timeout: float) -> int:
        self._asks.write(json.dumps(question) + "\n")
        self._asks.flush()
        if not select.select([self._answers], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(question), timeout)
        return int(self._answers.readline())


class Job(NamedTuple):
    program: str
    arguments: list[str]
    environment: dict[str, str]
    outputs: list[str]


@contextmanager
def started_warm(folder: Path) -> Iterator[Warm]:
    """`folder` is that of the project."""
    paths = os.pathsep.join(str(folder / name) for name in (".", "tests/integration"))
    process = subprocess.Popen(
        [sys.executable, __file__],
        cwd=folder,
        env={**os.environ, **_QUIET, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with tempfile.TemporaryDirectory() as outputs:
        try:
            yield Warm(process, Path(outputs))
        finally:
            process.communicate()


def _load() -> None:
    for name in _LOADED:
        import_module(name)


def _answer(questions: Iterator[str]) -> Job | None:
    """The job, in the process that is to do it; None here, at the end."""
    for line in questions:
        question = json.loads(line)
        if isinstance(question, int):
            _tell(os.waitstatus_to_exitcode(os.waitpid(question, 0)[1]))
        elif child := os.fork():
            _tell(child)
        else:
            return Job(**question)
    return None


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _do(job: Job) -> None:
    for descriptor, name in enumerate((os.devnull, *job.outputs)):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), descriptor)
    os.environ.clear()
    os.environ.update(_QUIET | job.environment)
    sys.argv = [job.program, *job.arguments]
    import_module("prefect.context").refresh_global_settings_context()  # which were those of the process before
    module, function = job.program.split(":")
    getattr(import_module(module), function)()


if __name__ == "__main__":
    import_module("cli.main").end_at_once()  # before the rest is loaded, as in the program
    _load()
    todo = _answer(iter(sys.stdin.readline, ""))
    if todo is not None:
        _do(todo)
