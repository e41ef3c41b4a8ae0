"""A build that asks models is stopped by SIGTERM, or meets failures that were no fault of its questions: what was paid
for is kept, and what failed can be asked again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

FLAWBENCH = Path(sys.executable).parent / "flawbench"
BUILD = ("build", "--limit", "12", "--subtype", "ambiguity", "--subtype", "unclear_intent")
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def running() -> Generator[StartedFaultServer, None, None]:
    with started_fault_server() as server:
        yield server


@pytest.fixture
def server(running: StartedFaultServer) -> StartedFaultServer:
    running.set(FaultPlan())
    running.reset()
    return running


@pytest.fixture(scope="module")
def start(environment: Mapping[str, str], running: StartedFaultServer) -> Start:
    """`flawbench ARGUMENTS` with one model and no panel."""

    def run(data: Path, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(FLAWBENCH), *arguments],
            cwd=PROJECT,
            env={
                **environment,
                "FLAWBENCH_DATA": str(data),
                "FLAWBENCH_WORKERS": "1",
                "FLAWBENCH_BASE_URL": f"{running.url}/v1",
                "FLAWBENCH_MODEL": "fake-1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


class Undisturbed(NamedTuple):
    candidates: list[dict[str, object]]
    asked: int


@pytest.fixture(scope="module")
def undisturbed(start: Start, running: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    data = tmp_path_factory.mktemp("undisturbed")
    running.set(FaultPlan())
    running.reset()
    finish(start(data, *BUILD))
    return Undisturbed(candidates(start, data), running.counts().asked)


def finish(process: "subprocess.Popen[str]", status: int = 0) -> tuple[str, str]:
    output, errors = process.communicate(timeout=300)
    assert process.returncode == status, errors
    return output, errors


def candidates(start: Start, data: Path) -> list[dict[str, object]]:
    sql = "SELECT item_id, rank FROM build_items WHERE kind = 'candidate' ORDER BY rank"
    return json.loads(finish(start(data, "sql", "--json", sql))[0])


def test_sigterm_ends_a_build_with_what_is_kept_and_how_to_go_on(
    start: Start, server: StartedFaultServer, undisturbed: Undisturbed, data: Path
) -> None:
    server.set(FaultPlan(latency_seconds=1.0))
    process = start(data, *BUILD)
    end = time.monotonic() + 120
    while not server.counts().asked:
        assert time.monotonic() < end
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGTERM)
    _, errors = finish(process, 128 + signal.SIGTERM)
    assert "what is stored and paid for is kept, and the same command goes on from here" in errors
    assert "Traceback" not in errors
    server.set(FaultPlan())
    finish(start(data, *BUILD))
    assert server.counts().repeated == 0
    assert candidates(start, data) == undisturbed.candidates


def test_what_failed_or_was_refused_is_asked_again_on_purpose_and_nothing_else_is_paid_again(
    start: Start, server: StartedFaultServer, undisturbed: Undisturbed, data: Path
) -> None:
    server.set(FaultPlan(share_permanent_400=0.2, share_refusal=0.2))
    finish(start(data, *BUILD))
    statuses = "SELECT DISTINCT reply, status FROM calls WHERE status IN ('failed', 'refused')"
    lost = json.loads(finish(start(data, "sql", "--json", statuses))[0])
    assert {row["status"] for row in lost} == {"failed", "refused"}
    server.set(FaultPlan())
    server.reset()
    finish(start(data, *BUILD))
    assert server.counts().asked == 0
    finish(start(data, *BUILD, "--retry-failed"))
    asked = server.counts()
    assert json.loads(finish(start(data, "sql", "--json", statuses))[0]) == []
    assert candidates(start, data) == undisturbed.candidates
    assert len(lost) <= asked.asked < undisturbed.asked
    server.reset()
    finish(start(data, *BUILD))
    assert server.counts().asked == 0
