"""A build that asks models is stopped by SIGTERM or loses its terminal, or meets failures that were no fault of its
questions: what was paid for is kept, and what failed can be asked again."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer

pytestmark = pytest.mark.integration

BUILD = ("build", "--limit", "12", "--subtype", "ambiguity", "--subtype", "unclear_intent")
CANDIDATES = "SELECT item_id, rank FROM build_items WHERE kind = 'candidate' ORDER BY rank"
Query = Callable[[Path, str], list[dict[str, object]]]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def start(spawn: Start, running: StartedFaultServer) -> Start:
    """`flawbench ARGUMENTS` with one model and no panel."""
    return partial(spawn, FLAWBENCH_BASE_URL=f"{running.url}/v1", FLAWBENCH_MODEL="fake-1")


class Undisturbed(NamedTuple):
    candidates: list[dict[str, object]]
    asked: int


@pytest.fixture(scope="module")
def undisturbed(
    start: Start, query: Query, running: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory
) -> Undisturbed:
    data = tmp_path_factory.mktemp("undisturbed")
    finish(start(*BUILD, data=data))
    return Undisturbed(query(data, CANDIDATES), running.counts().asked)


def finish(process: "subprocess.Popen[str]", status: int = 0) -> str:
    _, errors = process.communicate(timeout=300)
    assert process.returncode == status, errors
    return errors


def test_sigterm_ends_a_build_with_what_is_kept_and_how_to_go_on(
    start: Start,
    query: Query,
    server: StartedFaultServer,
    undisturbed: Undisturbed,
    wait_for: Callable[[Callable[[], bool], float], None],
    data: Path,
) -> None:
    server.set(FaultPlan(latency_seconds=1.0))
    process = start(*BUILD, data=data)
    wait_for(lambda: server.counts().asked > 0, 120)
    process.terminate()
    errors = finish(process, 128 + signal.SIGTERM)
    assert "what is stored and paid for is kept, and the same command goes on from here" in errors
    assert "Traceback" not in errors
    server.set(FaultPlan())
    finish(start(*BUILD, data=data))
    assert server.counts().repeated == 0
    assert query(data, CANDIDATES) == undisturbed.candidates


# The terminal on standard input becomes that of the program: without it a closed one would send no signal.
IN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_a_closed_terminal_ends_a_build_and_loses_no_reply_on_its_way(
    environment: Mapping[str, str],
    start: Start,
    query: Query,
    server: StartedFaultServer,
    undisturbed: Undisturbed,
    wait_for: Callable[[Callable[[], bool], float], None],
    data: Path,
) -> None:
    server.set(FaultPlan(latency_seconds=2.0))
    ours, its = os.openpty()
    os.set_blocking(ours, False)
    models = {"FLAWBENCH_BASE_URL": f"{server.url}/v1", "FLAWBENCH_MODEL": "fake-1", "FLAWBENCH_DATA": str(data)}
    with subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, str(Path(sys.executable).parent / "flawbench"), *BUILD],
        env={**environment, **models},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    ) as process:
        os.close(its)

        def asked() -> bool:
            with suppress(BlockingIOError):
                os.read(ours, 65536)  # else it waits for room
            return server.counts().asked > 0

        wait_for(asked, 120)
        os.close(ours)
        os.killpg(process.pid, signal.SIGHUP)  # as a shell does after the kernel
        assert process.wait(60) == 128 + signal.SIGHUP
    runs = query(data, "SELECT outcome FROM runs")
    assert [row["outcome"] for row in runs] == ["cancelled"]
    server.set(FaultPlan())
    finish(start(*BUILD, data=data))
    assert server.counts().repeated == 0
    assert query(data, CANDIDATES) == undisturbed.candidates


def test_what_failed_or_was_refused_is_asked_again_on_purpose_and_nothing_else_is_paid_again(
    start: Start, query: Query, server: StartedFaultServer, undisturbed: Undisturbed, data: Path
) -> None:
    server.set(FaultPlan(share_permanent_400=0.2, share_refusal=0.2))
    finish(start(*BUILD, data=data))
    statuses = "SELECT DISTINCT reply, status FROM calls WHERE status IN ('failed', 'refused')"
    lost = query(data, statuses)
    assert {row["status"] for row in lost} == {"failed", "refused"}
    server.set(FaultPlan())
    server.reset()
    finish(start(*BUILD, data=data))
    assert server.counts().asked == 0
    finish(start(*BUILD, "--retry-failed", data=data))
    asked = server.counts()
    assert query(data, statuses) == []
    assert query(data, CANDIDATES) == undisturbed.candidates
    assert len(lost) <= asked.asked < undisturbed.asked
    server.reset()
    finish(start(*BUILD, data=data))
    assert server.counts().asked == 0
