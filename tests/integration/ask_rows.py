"""Asks for rows as one run would. `python tests/integration/ask_rows.py JOB.json` does it in a process of its own, so
that it can be killed and its memory measured, and prints what came of them as JSON. For the tests of model calls."""

import asyncio
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

from pydantic import Field

from core.calls import Answer, Proposal, Role
from core.errors import FlawbenchError
from core.model_specs import ModelsRecipe
from core.records import Picture, Record
from models.caller import Caller, Outcome
from models.ledger import Ledger
from models.loop import LoopThread
from models.reply_store import ReplyStore
from storage.files import Files
from storage.objects import ObjectStore


class Told(Record):
    """What is asked for where the job wants JSON."""

    told: str
    count: int


class Job(Record):
    """`rows` are numbers; row N shows picture N of `pictures`, where there is one. `objects` is that of `folder`
    unless named."""

    models: ModelsRecipe
    folder: str
    objects: str | None = None
    build: str = "build"
    rows: tuple[int, ...]
    model: str = "a"
    system: str = "You answer in one sentence."
    pictures: tuple[Picture, ...] = ()
    structured: bool = False
    environment: dict[str, str] = Field(default_factory=dict)
    replay: bool = False


def main() -> None:
    logger = logging.getLogger("flawbench")
    logger.handlers = [logging.StreamHandler()]  # not those of Prefect, where that is loaded
    logger.setLevel(logging.WARNING)
    json.dump(ask_for(Job.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))), sys.stdout)


def ask_for(job: Job) -> dict[str, Any]:
    """What came of the rows, in values of JSON."""
    before = find_mb("VmRSS")
    url = job.objects or f"{job.folder}/objects"
    objects = ObjectStore(url)
    with LoopThread() as loop:
        caller = Caller(
            models=job.models,
            store=ReplyStore(Files(url)),
            ledger=Ledger(Path(job.folder) / "spending" / job.build),
            read_picture=objects.get,
            put_blob=objects.put,
            environment=job.environment,
            build=job.build,
            replay=job.replay,
        )
        started = time.monotonic()
        results = loop.run(ask_all(caller, job))
        seconds = time.monotonic() - started
        loop.run(caller.close())
    outcomes = {row: result for row, result in zip(job.rows, results, strict=True) if isinstance(result, Outcome)}
    errors = sorted({str(result) for result in results if isinstance(result, FlawbenchError)})
    return {
        "rows": {str(row): _row(outcome.answer) for row, outcome in outcomes.items()},
        "replies": {str(row): [asked.reply.status for asked in one.asked] for row, one in outcomes.items()},
        "paid": sum(asked.paid for outcome in outcomes.values() for asked in outcome.asked),
        "errors": errors,
        "seconds": seconds,
        "grown_mb": find_mb("VmHWM") - before,
    }


async def ask_all(caller: Caller, job: Job) -> list[Outcome | BaseException]:
    """A run ends at the first error: the rest of the rows is asked for only to see that nothing more is sent."""
    asks = [caller.ask(_proposal(job, row), job.model) for row in job.rows]
    results = await asyncio.gather(*asks, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, FlawbenchError):
            raise result
    return results


def _proposal(job: Job, row: int) -> Proposal:
    shown = job.pictures[row : row + 1]
    return Proposal(
        role=Role.GENERATOR,
        prompt="rows@1",
        prompt_hash="0" * 64,
        system=job.system,
        parts=(f"This is row {row}.", *shown),
        reply=Told if job.structured else None,
    )


def _row(answer: Answer) -> dict[str, Any]:
    value = answer.value.model_dump(mode="json") if answer.value else None
    return {"status": answer.status, "text": answer.text, "value": value, "detail": answer.detail}


def find_mb(field: str) -> float:
    """Memory of this process now (`VmRSS`) or at most so far (`VmHWM`)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(f"{field}:"))


if __name__ == "__main__":
    main()
