"""What a call costs beside the model: 5,000 requests to a fault server that answers after 200 ms, 200 at a time, by our
caller with reply store, ledger and lineage (parts of 50 calls, ingested at the end), and by a bare loop over the SDK as
it comes with a semaphore. Each client is a process of its own. `python -m benchmarks.model_calls` writes
build/benchmarks/model_calls.json.

No client can make more than `ceiling` requests a second here. The replies are deleted when all is measured: ext4
searches past every inode that was freed in the last minutes, which makes each new file up to ten times as dear. Run it
when nothing deleted thousands of files just before; `file_ms` is the CPU time of one bare file."""

import argparse
import asyncio
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.memory import find_peak_mb
from core.calls import Call, Proposal, Role
from core.model_specs import GeneratorShare, Limits, ModelSpec, ModelsRecipe, Price
from core.records import Stage
from core.taxonomy import Subtype
from models.fault_server.plan import FaultPlan
from models.fault_server.started import started_fault_server
from models.loop import LoopThread

PROJECT = Path(__file__).resolve().parent.parent
RESULT = PROJECT / "build" / "benchmarks" / "model_calls.json"
Timed = Callable[[Coroutine[Any, Any, None]], Awaitable[None]]
LATENCY_SECONDS = 0.2
CONCURRENCY = 200
WARM_UP = 200
SHARD = 50
PROBES = 300
CPU_LIMIT_MS = 1.5
SPEED_LIMIT = 2.0
MEMORY_LIMIT_MB = 500
SYSTEM = "You rewrite questions."
TEXT = "Rewrite question {} so that it asks for the same with other words. " + "It has some more text. " * 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--client", choices=["ours", "bare"], help="for the processes that this one starts")
    parser.add_argument("--url")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.client:
        print(json.dumps(measure(options.client, options.url, options.requests, options.folder)))
        return
    figures = compare(options.requests, options.rounds)
    RESULT.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=2))
    print(
        f"{figures['ours']['cpu_ms_per_request']} ms CPU a request (limit {CPU_LIMIT_MS}), "
        f"{figures['speed_ratio']} times as many a second as the bare loop (limit {SPEED_LIMIT}), "
        f"{figures['ours']['peak_mb']} MB (limit {MEMORY_LIMIT_MB})"
    )


def compare(requests: int, rounds: int) -> dict[str, Any]:
    """Medians of rounds in which both take their turn, since other jobs may use the machine as well."""
    found: dict[str, list[dict[str, float]]] = {"ours": [], "bare": []}
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    with (
        started_fault_server(FaultPlan(latency_seconds=LATENCY_SECONDS)) as server,
        tempfile.TemporaryDirectory(dir=RESULT.parent) as folder,
    ):
        for number in range(rounds):
            for client, results in found.items():
                server.reset()
                file_ms = measure_file(Path(folder) / f"files{number}{client}")
                results.append(run_client(client, server.url, requests, f"{folder}/{number}") | {"file_ms": file_ms})
                assert server.counts().replies == requests + WARM_UP
    medians = {
        client: {name: round(statistics.median(result[name] for result in results), 3) for name in results[0]}
        for client, results in found.items()
    }
    return {
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "requests": requests,
        "rounds": rounds,
        "latency_seconds": LATENCY_SECONDS,
        "concurrency": CONCURRENCY,
        "ceiling": CONCURRENCY / LATENCY_SECONDS,
        **medians,
        "speed_ratio": round(medians["ours"]["requests_per_second"] / medians["bare"]["requests_per_second"], 2),
        "cpu_ratio": round(medians["bare"]["cpu_ms_per_request"] / medians["ours"]["cpu_ms_per_request"], 2),
    }


def measure_file(folder: Path) -> float:
    """CPU milliseconds for one small file that is written, synced and renamed, with nothing else going on."""
    folder.mkdir()
    before = time.process_time()
    for number in range(PROBES):
        descriptor = os.open(folder / "new", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(descriptor, b" " * 2000)
        os.fsync(descriptor)
        os.close(descriptor)
        (folder / "new").replace(folder / str(number))
    return (time.process_time() - before) / PROBES * 1000


def run_client(client: str, url: str, requests: int, folder: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.model_calls", "--client", client, "--url", url]
    command += ["--requests", str(requests), "--folder", folder]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def measure(client: str, url: str, requests: int, folder: Path) -> dict[str, float]:
    """The first calls open connections and import what is imported late: they are not counted."""
    figures: dict[str, float] = {}

    async def timed(work: Coroutine[Any, Any, None]) -> None:
        before, wall = os.times(), time.perf_counter()
        await work
        seconds, after = time.perf_counter() - wall, os.times()
        figures["user_ms_per_request"] = (after.user - before.user) / requests * 1000
        figures["system_ms_per_request"] = (after.system - before.system) / requests * 1000
        figures["cpu_ms_per_request"] = figures["user_ms_per_request"] + figures["system_ms_per_request"]
        figures["requests_per_second"] = requests / seconds
        figures["seconds"] = seconds

    if client == "ours":
        with LoopThread() as loop:
            loop.run(ask_ours(url, requests, folder, timed))
    else:
        asyncio.run(ask_bare(url, requests, timed))
    figures["peak_mb"] = find_peak_mb(os.getpid())
    return figures


async def ask_ours(url: str, requests: int, folder: Path, timed: Timed) -> None:
    from models.call_rows import call_rows
    from models.caller import Caller
    from models.ledger import Ledger
    from models.reply_store import ReplyStore
    from storage.files import Files
    from storage.objects import ObjectStore

    spec = ModelSpec(
        provider="openai",
        name="fake-1",
        family="fake",
        base_url=f"{url}/v1",
        limits=Limits(concurrency=CONCURRENCY),
    )
    models = ModelsRecipe(
        name="benchmark",
        models={"a": spec},
        generators=(GeneratorShare(model="a", share=1),),
        prices={"fake-1": Price(input=1.0, output=10.0, date="2026-01-01")},
        budget_usd=1e6,
    )
    objects = ObjectStore(str(folder / "objects"))
    store, ledger = ReplyStore(Files(str(folder / "objects"))), Ledger(folder / "spending")
    caller = Caller(models, store, ledger, objects.get, objects.put, {}, "benchmark")
    made: list[Call] = []

    async def ask(number: int) -> None:
        proposal = Proposal(Role.GENERATOR, "rewrite@1", "0" * 64, SYSTEM, (TEXT.format(number),))
        outcome = await caller.ask(proposal, "a")
        _, calls = call_rows(outcome, Stage.INJECT, f"smp_{number}", Subtype.AMBIGUITY)
        made.extend(calls)

    async def ask_all(numbers: range) -> None:
        made.clear()
        await asyncio.gather(*(ask(number) for number in numbers))
        record(made, folder)

    await ask_all(range(WARM_UP))
    await timed(ask_all(range(WARM_UP, WARM_UP + requests)))
    await caller.close()
    assert len(made) == requests


def record(calls: list[Call], folder: Path) -> None:
    from storage.lineage import Lineage
    from storage.parts import PartInfo, PartStore
    from storage.rows import call_rows

    store, written = PartStore(str(folder / "parts")), datetime.now(UTC)
    keys = [hashlib.sha256(calls[start].id.encode()).hexdigest() for start in range(0, len(calls), SHARD)]
    for number, key in enumerate(keys):
        info = PartInfo(key=key, stage=Stage.INJECT, run_id="run_0", code_commit="c0ffee", started=written, seconds=1.0)
        shard = calls[number * SHARD : (number + 1) * SHARD]
        store.write(info, [row for call in shard for row in call_rows(call)])
    ingested = Lineage(folder / "lineage.duckdb", 60.0).ingest([store.read(Stage.INJECT, key) for key in keys])
    assert ingested == len(keys)


async def ask_bare(url: str, requests: int, timed: Timed) -> None:
    from openai import AsyncOpenAI

    semaphore = asyncio.Semaphore(CONCURRENCY)
    async with AsyncOpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0) as client:

        async def ask(number: int) -> None:
            async with semaphore:
                reply = await client.chat.completions.create(
                    model="fake-1",
                    messages=[
                        {"role": "system", "content": SYSTEM},
                        {"role": "user", "content": TEXT.format(number)},
                    ],
                    max_tokens=8192,
                )
                assert reply.choices[0].message.content

        async def ask_all(numbers: range) -> None:
            await asyncio.gather(*(ask(number) for number in numbers))

        await ask_all(range(WARM_UP))
        await timed(ask_all(range(WARM_UP, WARM_UP + requests)))


if __name__ == "__main__":
    main()
