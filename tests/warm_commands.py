"""Commands in processes of their own that need not load the program: this process has loaded it and forks for each. A
command that is to be killed, or to be looked at while it starts, is started as a user does."""

import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subprocess import CompletedProcess

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
    "google.genai",
    "openai",
)


class WarmCommands:
    """One after the other."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self._process = process
        self._outputs = (folder / "out", folder / "told")

    def run(self, arguments: Sequence[str], environment: Mapping[str, str]) -> "CompletedProcess[str]":
        """`flawbench ARGUMENTS` to its end, in the folder of the program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = {
            "arguments": arguments,
            "environment": dict(environment),
            "outputs": [str(path) for path in self._outputs],
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        assert select.select([self._process.stdout], [], [], _SECONDS)[0], f"{arguments} took over {_SECONDS} s"
        status = int(self._process.stdout.readline())
        out, told = (path.read_text(encoding="utf-8") for path in self._outputs)
        return subprocess.CompletedProcess(arguments, status, out, told)


@contextmanager
def warm_commands(folder: Path) -> Iterator[WarmCommands]:
    process = subprocess.Popen(
        [sys.executable, __file__],
        cwd=folder,
        env={**os.environ, **_QUIET},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with tempfile.TemporaryDirectory() as outputs:
        try:
            yield WarmCommands(process, Path(outputs))
        finally:
            process.communicate()


def _load() -> None:
    for name in _LOADED:
        import_module(name)


def _fork_for_each(jobs: Iterator[str]) -> dict[str, Any] | None:
    """The job, in the process that is to do it; None here, at the end."""
    for line in jobs:
        child = os.fork()
        if not child:
            return json.loads(line)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


def _become(job: Mapping[str, Any]) -> None:
    for descriptor, name in enumerate((os.devnull, *job["outputs"])):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), descriptor)
    os.environ.clear()
    os.environ.update(_QUIET | job["environment"])
    sys.argv = ["flawbench", *job["arguments"]]
    from prefect.context import refresh_global_settings_context

    refresh_global_settings_context()


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    from cli.main import end_at_once, main

    end_at_once()  # before the rest is loaded, as in the program
    _load()
    job = _fork_for_each(iter(sys.stdin.readline, ""))
    if job is not None:
        _become(job)
        main()
