"""A fault server in a process of its own, for tests and measurements: what the client costs is then measured alone."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from core.errors import ModelCallError
from models.fault_server.journal import Counts, LogEntry
from models.fault_server.plan import FaultPlan

_PROJECT = Path(__file__).resolve().parent.parent.parent
_ANSWER_SECONDS = 60.0
_STOP_SECONDS = 5.0


class StartedFaultServer:
    """`url` has no path: OpenAI's `base_url` is `url + "/v1"`, Gemini's and Anthropic's is `url`. `pid` is that of the
    process."""

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self.pid = pid

    def counts(self) -> Counts:
        return Counts.model_validate_json(self._call("counts"))

    def log(self) -> tuple[LogEntry, ...]:
        """In the order of arrival."""
        return tuple(LogEntry.model_validate(entry) for entry in json.loads(self._call("log")))

    def set(self, plan: FaultPlan) -> None:
        """From now on; the log stays."""
        self._call("faults", plan.model_dump_json().encode())

    def reset(self) -> None:
        """Empties the log and forgets which rows have met their one failure; files and batches stay."""
        self._call("reset", b"")

    def _call(self, name: str, data: bytes | None = None) -> bytes:
        with urlopen(Request(f"{self.url}/control/{name}", data=data), timeout=_ANSWER_SECONDS) as reply:
            return reply.read()


@contextmanager
def started_fault_server(
    plan: FaultPlan | None = None, log: Path | None = None
) -> Generator[StartedFaultServer, None, None]:
    """A server on a free port of the loopback address, gone at the end. Raises ModelCallError if it does not start."""
    command = [sys.executable, "-m", "models.fault_server", "--port", "0", "--end-with-parent"]
    if log:
        command += ["--log", str(log.resolve())]
    with subprocess.Popen(
        command, cwd=_PROJECT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            url = process.stdout.readline().strip() if process.stdout else ""
            if not url:
                raise ModelCallError(
                    "The fault server did not start.", "Run `python -m models.fault_server --port 0` and see why."
                )
            server = StartedFaultServer(url, process.pid)
            if plan:
                server.set(plan)
            yield server
        finally:
            _stop(process)


def _stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
