"""Requests that may wait go to the provider together, at half the price. What was sent is written down before it is
sent, so that a batch is found again by a run that goes on after a kill, and is neither sent nor paid twice."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from core.calls import ByteStore
from core.errors import FlawbenchError, ModelCallError
from core.identity import content_hash
from core.model_specs import ModelSpec
from models.base import CallError, FailureKind, ModelRequest, ReadPicture, Received
from models.batch_patience import insist, search
from models.batch_records import BatchRecord, BatchRecords
from models.batch_server import BatchState, make_batch_server
from models.disk import Disk

_QUIET_SECONDS = 2.0
_MOST_ROWS = 5000
_FIRST_LOOK_SECONDS = 0.5
_SLOWER = 1.5
_LONGEST_LOOK_SECONDS = 60.0
_TOO_LARGE = 413
_UNKNOWN = ""
"""In place of the key of a row, where results tell none."""
_log = logging.getLogger("flawbench.calls")


class BatchMode:
    """Of one model; `switch` is where it is asked for, in words. Belongs to one event loop."""

    def __init__(self, spec: ModelSpec, key: str | None, files: ByteStore, disk: Disk, switch: str) -> None:
        self._spec = spec
        self._switch = switch
        self._server = make_batch_server(spec, key)
        self._most_bytes = self._server.most_bytes
        self._records = BatchRecords(files, disk)
        self._gathered: dict[str, bytes] = {}
        self._awaited: dict[str, asyncio.Future[Received]] = {}
        self._open: dict[str, BatchRecord] = {}
        self._record_of: dict[str, str] = {}
        self._lost: set[str] = set()
        self._arrived: dict[str, Received | BaseException] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._adopting: asyncio.Task[None] | None = None
        self._stopped: FlawbenchError | None = None

    async def ask(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> Received:
        """The reply out of a batch that this run or an earlier one sent. Raises CallError (temporary) where the batch
        did not come to it or its reply is lost, ModelCallError where the server has no batches, StorageError."""
        await asyncio.shield(self._adoption())
        if key not in self._arrived and key not in self._record_of:
            line = await self._server.make_line(key, request, read_picture)
            if self._stopped:
                raise self._stopped
            self._gather(key, line)
        if key not in self._arrived:
            self._awaited[key] = asyncio.get_running_loop().create_future()
            return await self._awaited[key]
        result = self._arrived[key]
        if isinstance(result, Received):
            return result
        raise result

    async def has_lost(self, key: str) -> bool:
        """Whether a batch of an earlier run held it, and the provider no longer shows that batch. What fails when it is
        looked for, `ask` raises."""
        await asyncio.wait({self._adoption()})
        return key in self._lost and key not in self._record_of

    async def stored(self, key: str) -> None:
        """The reply is on disk, however it was come by: a batch of which all are is forgotten. Raises StorageError."""
        tag = self._record_of.pop(key, None)
        if tag is not None and tag not in self._record_of.values():
            await self._records.close(self._open.pop(tag))

    def stop(self, error: FlawbenchError) -> None:
        """What is gathered is not sent: those who asked get the error. Batches under way are still followed."""
        self._stopped = error
        if self._timer:
            self._timer.cancel()
        for key in self._gathered:
            future = self._awaited.pop(key)
            if not future.done():
                future.set_exception(error)
        self._gathered.clear()

    async def close(self) -> None:
        """What is under way at the provider goes on there, and is found again by the next run."""
        if self._timer:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.close()

    def _gather(self, key: str, line: bytes) -> None:
        if self._timer:
            self._timer.cancel()
        if self._gathered and sum(map(len, self._gathered.values())) + len(line) > self._most_bytes:
            self._send_gathered()
        self._gathered[key] = line
        if len(self._gathered) >= _MOST_ROWS:
            self._send_gathered()
        else:
            self._timer = asyncio.get_running_loop().call_later(_QUIET_SECONDS, self._send_gathered)

    def _send_gathered(self) -> None:
        rows, self._gathered = self._gathered, {}
        tag = content_hash([sorted(rows), time.time_ns()])[:32]
        record = BatchRecord(tag=tag, model=self._spec.name, base_url=self._spec.base_url, keys=tuple(sorted(rows)))
        self._register(record, record.keys)
        self._start(record, self._send(record, rows))

    def _start(self, record: BatchRecord, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(partial(self._end, record))

    def _end(self, record: BatchRecord, task: "asyncio.Task[None]") -> None:
        """Whatever it ended of is told to those who wait for its rows: they would wait for ever."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._deliver(record, {}, error)

    async def _send(self, record: BatchRecord, rows: Mapping[str, bytes]) -> None:
        await self._records.write(record)
        state = await self._submit(record, rows)
        if state is None:
            await self._send_smaller(record, rows)
            return
        record = await self._note_id(record, state)
        _log.info("batch=%s model=%s rows=%d", state.id, self._spec.id, len(record.keys))
        await self._follow(record, state)

    async def _submit(self, record: BatchRecord, rows: Mapping[str, bytes]) -> BatchState | None:
        """A batch that was made although the answer did not arrive is looked for before it is sent again. None where
        the rows are too large together."""
        failures = 0

        async def submit() -> BatchState:
            nonlocal failures
            found = await self._server.find(record.tag) if failures else None
            failures += 1
            return found or await self._server.submit(tuple(rows.values()), record.tag)

        try:
            return await insist(submit, self._spec.id)
        except CallError as failure:
            if failure.http_status == _TOO_LARGE and len(rows) > 1:
                return None
            if failure.kind in (FailureKind.PERMANENT, FailureKind.MOVED):
                raise self._without_batches(failure) from failure
            raise

    async def _send_smaller(self, record: BatchRecord, rows: Mapping[str, bytes]) -> None:
        """A proxy or a server of one's own may take less than the provider."""
        size = sum(map(len, rows.values()))
        self._most_bytes = min(self._most_bytes, size // 2)
        _log.warning("%s takes no batch of %d bytes: its rows go in smaller ones.", self._spec.id, size)
        await self._records.close(self._open.pop(record.tag))
        if self._stopped:
            raise self._stopped
        for key, line in rows.items():
            del self._record_of[key]
            self._gather(key, line)

    async def _follow(self, record: BatchRecord, found: BatchState) -> None:
        state: BatchState | None = found
        seconds = _FIRST_LOOK_SECONDS
        while state and not state.ended:
            await asyncio.sleep(seconds)
            seconds = min(_LONGEST_LOOK_SECONDS, seconds * _SLOWER)
            state = await search(partial(self._server.state, found.id), self._spec.id)
        if state is None:
            self._warn_of_loss(record, len(self._waiting(record)), "one by one, at full price")
            said = f"The provider no longer shows batch {record.batch}."
            self._deliver(record, {}, CallError(FailureKind.TEMPORARY, said, maybe_billed=True))
        elif state.refused:
            await self._records.close(record)
            raise ModelCallError(
                f"{self._spec.id} took no row of a batch of {len(record.keys)}: {state.refused}",
                "Change what it says and run the same command again, or set `batch: false` for that model.",
            )
        else:
            await self._receive(record, state)

    async def _receive(self, record: BatchRecord, state: BatchState) -> None:
        """A row without a result was processed where the batch came to all rows, and may have been where some result
        cannot be read: a provider bills what it processed."""
        unread = CallError(FailureKind.TEMPORARY, "The results of the batch have nothing readable for this row.")
        results: dict[str, Received | CallError] = {}
        for output in state.outputs:
            results |= await search(partial(self._server.results, (output,)), self._spec.id) or {_UNKNOWN: unread}
        missing = sum(key not in results for key in self._waiting(record))
        billed = state.whole or not results.keys() <= set(record.keys)
        if missing:
            _log.warning(
                "Batch %s of %s has no readable result for %d of %d rows: they are asked one by one, at full price%s.",
                state.id,
                self._spec.id,
                missing,
                len(record.keys),
                ", and what they may have cost in the batch stays reserved" if billed else "",
            )
        self._deliver(record, results, replace(unread, maybe_billed=billed))

    def _deliver(
        self,
        record: BatchRecord,
        results: Mapping[str, Received | CallError],
        otherwise: BaseException,
    ) -> None:
        for key in record.keys:
            result = results.get(key, otherwise)
            self._arrived[key] = result
            future = self._awaited.pop(key, None)
            if future is None or future.done():
                continue
            if isinstance(result, Received):
                future.set_result(result)
            else:
                future.set_exception(result)

    def _adoption(self) -> "asyncio.Task[None]":
        if self._adopting is None:
            self._adopting = asyncio.create_task(self._adopt_all())
            self._tasks.add(self._adopting)
        return self._adopting

    async def _adopt_all(self) -> None:
        for record in await self._records.all_open(self._spec.name, self._spec.base_url):
            await self._adopt(record)

    async def _adopt(self, record: BatchRecord) -> None:
        """A batch that is not there leaves its record, which may be that of a process that is about to send it, or of
        another account: it is closed when all of its replies are stored."""
        missing = await self._records.without_reply(record)
        if not missing:
            await self._records.close(record)
            return
        look = partial(self._server.state, record.batch) if record.batch else partial(self._server.find, record.tag)
        state = await search(look, self._spec.id)
        if state:
            record = await self._note_id(record, state)
            _log.info("adopted_batch=%s model=%s rows=%d", state.id, self._spec.id, len(record.keys))
            self._register(record, missing)
            self._start(record, self._follow(record, state))
        elif record.batch:
            self._lost |= set(missing)
            self._warn_of_loss(record, len(missing), "in a new batch, unless this is the key of another account")

    async def _note_id(self, record: BatchRecord, state: BatchState) -> BatchRecord:
        named = record.model_copy(update={"batch": state.id})
        self._open[record.tag] = named
        await self._records.write(named)
        return named

    def _waiting(self, record: BatchRecord) -> list[str]:
        return [key for key, tag in self._record_of.items() if tag == record.tag]

    def _register(self, record: BatchRecord, keys: tuple[str, ...]) -> None:
        """`keys`: those whose replies are not stored yet."""
        self._open[record.tag] = record
        self._record_of |= dict.fromkeys(keys, record.tag)

    def _warn_of_loss(self, record: BatchRecord, rows: int, how: str) -> None:
        _log.warning(
            "The provider no longer shows batch %s of %s: %d of its rows are asked again %s. What the batch may have "
            "cost stays reserved; ask the provider what became of it.",
            record.batch,
            self._spec.id,
            rows,
            how,
        )

    def _without_batches(self, failure: CallError) -> ModelCallError:
        if failure.http_status == _TOO_LARGE:
            return ModelCallError(
                f"A single request is too large for the batches of {self._spec.id}: {failure.message}",
                "Set `scale_pictures_to` of that model, so that its pictures become smaller, or set "
                f"{self._switch} to false, and run the same command again.",
            )
        return ModelCallError(
            f"{self._spec.id} takes no batch: {failure.message}",
            f"Set {self._switch} to false and run the same command again.",
        )
