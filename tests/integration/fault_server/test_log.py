"""What the log says of bursts, of clients that go away and of servers that end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import aiohttp
import openai
import pytest

from models.fault_server.journal import read_log
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server

pytestmark = pytest.mark.integration


def test_a_client_that_goes_away_leaves_an_entry_that_was_not_finished(
    client: openai.OpenAI, server: StartedFaultServer
) -> None:
    server.set(FaultPlan(latency_seconds=0.6))
    with pytest.raises(openai.APITimeoutError):
        client.with_options(timeout=0.2).chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}])
    time.sleep(0.7)
    assert [(entry.status, entry.finished) for entry in server.log()] == [(200, None)]
    assert server.counts().replies == 0


def test_a_thousand_connections_at_once_are_answered_in_one_latency(server: StartedFaultServer) -> None:
    server.set(FaultPlan(latency_seconds=0.5))

    async def burst() -> list[int]:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def one(number: int) -> int:
                body = {"model": "m", "messages": [{"role": "user", "content": f"{number}"}]}
                async with session.post(f"{server.url}/v1/chat/completions", json=body) as reply:
                    await reply.read()
                    return reply.status

            return await asyncio.gather(*(one(number) for number in range(1000)))

    assert set(asyncio.run(burst())) == {200}
    counts = server.counts()
    assert (counts.asked, counts.replies, counts.rows, counts.repeated) == (1000, 1000, 1000, 0)
    assert counts.peak_open > 500
    assert counts.cpu_seconds < 1000 * 0.0006


def test_the_log_file_survives_the_server(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with started_fault_server(FaultPlan(latency_seconds=30), log=path) as server:
        connection = urllib.request.Request(
            f"{server.url}/v1/chat/completions",
            json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode(),
        )
        with pytest.raises(OSError, match="timed out"):
            urllib.request.urlopen(connection, timeout=0.5)
        os.kill(server.pid, signal.SIGKILL)
    entries = read_log(path)
    assert [(entry.model, entry.status, entry.finished) for entry in entries] == [("m", 200, None)]


def test_a_server_ends_with_the_process_that_started_it(
    root: Path, wait_for: Callable[[Callable[[], bool], float], None]
) -> None:
    code = (
        "import sys, time\n"
        "from models.fault_server.started import started_fault_server\n"
        "with started_fault_server() as server:\n"
        "    sys.stdout.write(f'{server.pid}\\n')\n"
        "    sys.stdout.flush()\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        server = Path(f"/proc/{int(parent.stdout.readline())}")
        assert server.exists()
        parent.kill()
    wait_for(lambda: not server.exists(), 10)


def test_a_started_server_is_gone_at_the_end() -> None:
    with started_fault_server() as server:
        pid = server.pid
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists()
