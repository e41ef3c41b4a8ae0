"""Batches of both providers: rows that are answered together after a while, by the same plan as single requests."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from models.fault_server.formats import Format
from models.fault_server.plan import Spoil
from models.fault_server.server import FaultServer, Outcome


class Row(NamedTuple):
    """`name` is what the client calls it, `path` where the single request would go."""

    name: str
    path: str
    body: dict[str, Any]


@dataclass
class Batch:
    """`details` is what the provider's own format keeps of the request that made it. Times are of the wall clock."""

    id: str
    rows: tuple[Row, ...]
    details: dict[str, Any]
    created: float
    outcomes: tuple[Outcome, ...] = ()
    state: str = "in_progress"
    ended: float | None = None
    looks: int = 0
    task: "asyncio.Task[None] | None" = field(default=None, repr=False)


class BatchDesk:
    """Takes batches and works on them in the background."""

    def __init__(self, server: FaultServer) -> None:
        self._server = server
        self._batches: dict[str, Batch] = {}

    def submit(self, prefix: str, form: Format, rows: Iterable[Row], details: dict[str, Any]) -> Batch:
        batch = Batch(f"{prefix}{len(self._batches)}", tuple(rows), details, time.time())
        self._batches[batch.id] = batch
        batch.task = asyncio.create_task(self._work(batch, form))
        return batch

    def find(self, batch_id: str) -> Batch | None:
        return self._batches.get(batch_id)

    def look(self, batch_id: str) -> Batch | None:
        """As `find`, where the plan lets it be seen."""
        batch = self.find(batch_id)
        if batch:
            batch.looks += 1
        return batch if batch and not self._is_hidden(batch, batch.looks) else None

    def newest_first(self, prefix: str) -> list[Batch]:
        made = [batch for name, batch in reversed(self._batches.items()) if name.startswith(prefix)]
        return [batch for batch in made if not self._is_hidden(batch, batch.looks + 1)]

    def spoil_of(self, number: int) -> Spoil | None:
        """Of the result at that place, from 0."""
        return self._server.plan.batch_spoils if number % 2 else None

    def cancel(self, batch: Batch) -> None:
        if batch.task and batch.state == "in_progress":
            batch.task.cancel()
            batch.state, batch.ended = "cancelled", time.time()

    def _is_hidden(self, batch: Batch, looks: int) -> bool:
        return looks <= self._server.plan.batch_hidden_looks

    async def _work(self, batch: Batch, form: Format) -> None:
        await asyncio.sleep(self._server.plan.batch_seconds)
        if self._server.plan.batch_expires:
            batch.state, batch.ended = "expired", time.time()
            return
        batch.outcomes = tuple([await self._answer(batch, form, row) for row in batch.rows])
        batch.state, batch.ended = "completed", time.time()

    async def _answer(self, batch: Batch, form: Format, row: Row) -> Outcome:
        """A reset of a connection that is not there becomes an error of the server."""
        entry = self._server.journal.arrive(row.path, batch.id)
        outcome = await self._server.decide(form, row.path, row.body, entry)
        if outcome.status is None:
            outcome = Outcome(500, form.write_error(500, "The server had an error."), outcome.fault)
        if isinstance(outcome.body, bytes):
            outcome = outcome._replace(body={"page": outcome.body.decode()})
        entry.status, entry.finished = outcome.status, time.monotonic()
        self._server.journal.leave(entry)
        return outcome
