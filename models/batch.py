"""Requests that may wait go to the provider together, at half the price. What was sent is written down before it is
sent, so that a batch is found again by a run that goes on after a kill, and is neither sent nor paid twice."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import Any, TypeVar

from pydantic import ValidationError

from core.calls import ByteStore
from core.errors import FlawbenchError, ModelCallError, StorageError
from core.identity import canonical_json, content_hash
from core.model_specs import ModelSpec
from core.records import Record
from models.base import CallError, FailureKind, MaybeSentError, ModelRequest, ReadPicture, Received
from models.batch_server import BatchState, make_batch_server
from models.disk import Disk
from models.reply_store import reply_name

FOLDER = "batches"
_QUIET_SECONDS = 2.0
_MOST_ROWS = 5000
_FIRST_LOOK_SECONDS = 0.5
_SLOWER = 1.5
_LONGEST_LOOK_SECONDS = 60.0
_FIRST_PAUSE_SECONDS = 0.5
_MOST_FAILURES = 9
"""In a row, with pauses that double: about two minutes."""
_PASSING = (FailureKind.TEMPORARY, FailureKind.RATE)
_NOT_FOUND = 404
_log = logging.getLogger("flawbench.calls")

Result = TypeVar("Result")


class BatchRecord(Record):
    """`tag` names the batch for us and `batch` for the provider, None until it is known to be made. `keys` are those of
    the requests in it; `closed` when all of their replies are stored."""

    tag: str
    model: str
    base_url: str | None
    keys: tuple[str, ...]
    batch: str | None = None
    closed: bool = False


class BatchMode:
    """Of one model; `switch` is where it is asked for, in words. Belongs to one event loop."""

    def __init__(self, spec: ModelSpec, key: str | None, files: ByteStore, disk: Disk, switch: str) -> None:
        self._spec = spec
        self._switch = switch
        self._server = make_batch_server(spec, key)
        self._files = files
        self._disk = disk
        self._gathered: dict[str, bytes] = {}
        self._awaited: dict[str, asyncio.Future[Received]] = {}
        self._open: dict[str, BatchRecord] = {}
        self._record_of: dict[str, str] = {}
        self._arrived: dict[str, Received | BaseException] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._adopting: asyncio.Task[None] | None = None
        self._stopped: FlawbenchError | None = None

    async def ask(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> Received:
        """The reply out of a batch that this run or an earlier one sent. Raises CallError (temporary) where the batch
        did not come to it, ModelCallError where the server has no batches, StorageError."""
        if self._adopting is None:
            self._adopting = asyncio.create_task(self._adopt_all())
        await asyncio.shield(self._adopting)
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

    async def stored(self, key: str) -> None:
        """The reply is on disk, however it was come by: a batch of which all are is forgotten. Raises StorageError."""
        tag = self._record_of.pop(key, None)
        if tag is not None and tag not in self._record_of.values():
            await self._write(self._open.pop(tag).model_copy(update={"closed": True}))

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
        if self._gathered and sum(map(len, self._gathered.values())) + len(line) > self._server.most_bytes:
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
        self._start(record, self._send(record, tuple(rows.values())))

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

    async def _send(self, record: BatchRecord, lines: tuple[bytes, ...]) -> None:
        await self._write(record)
        state = await self._submit(record, lines)
        await self._write(record.model_copy(update={"batch": state.id}))
        _log.info("batch=%s model=%s rows=%d", state.id, self._spec.id, len(record.keys))
        await self._follow(record, state)

    async def _submit(self, record: BatchRecord, lines: tuple[bytes, ...]) -> BatchState:
        """A batch that was made although the answer did not arrive is looked for before it is sent again."""
        failures = 0

        async def submit() -> BatchState:
            nonlocal failures
            found = await self._server.find(record.tag) if failures else None
            failures += 1
            return found or await self._server.submit(lines, record.tag)

        try:
            return await self._insist(submit)
        except CallError as failure:
            if failure.kind in (FailureKind.PERMANENT, FailureKind.MOVED):
                raise self._without_batches(failure) from failure
            raise

    async def _insist(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """Tries again what may pass: rows that are in a batch, or will be, are never paid apart as well.

        Raises CallError for what does not pass, MaybeSentError when it did not for long."""
        last: CallError | None = None
        for failures in range(_MOST_FAILURES):
            try:
                return await ask()
            except CallError as failure:
                if failure.kind not in _PASSING:
                    raise
                _log.debug("failed=%s model=%s", failure.message, self._spec.id)
                last = failure
                pause = min(_LONGEST_LOOK_SECONDS, _FIRST_PAUSE_SECONDS * 2**failures)
                await asyncio.sleep(max(pause, min(failure.retry_after or 0.0, _LONGEST_LOOK_SECONDS)))
        raise MaybeSentError(
            f"The batches of {self._spec.id} could not be reached: {last}",
            "Run the same command again later: what was sent goes on at the provider and is found again.",
        )

    async def _follow(self, record: BatchRecord, state: BatchState) -> None:
        seconds = _FIRST_LOOK_SECONDS
        while not state.ended:
            await asyncio.sleep(seconds)
            seconds = min(_LONGEST_LOOK_SECONDS, seconds * _SLOWER)
            state = await self._insist(partial(self._server.state, state.id))
        if state.refused:
            await self._write(record.model_copy(update={"closed": True}))
            raise ModelCallError(
                f"{self._spec.id} took no row of a batch of {len(record.keys)}: {state.refused}",
                "Change what it says and run the same command again, or set `batch: false` for that model.",
            )
        results = await self._insist(partial(self._server.results, state.outputs))
        not_reached = CallError(FailureKind.TEMPORARY, "The batch ended before it came to this row.")
        self._deliver(record, results, not_reached)

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

    async def _adopt_all(self) -> None:
        for name in sorted(await self._disk.run(lambda: self._files.names(FOLDER))):
            record = await self._disk.run(lambda name=name: self._read(name))
            ours = (record.model, record.base_url) == (self._spec.name, self._spec.base_url)
            if ours and not record.closed:
                await self._adopt(record)

    async def _adopt(self, record: BatchRecord) -> None:
        """A batch that is not there leaves its record, which may be that of a process that is about to send it: it is
        closed when all of its replies are stored."""
        missing = await self._disk.run(lambda: self._without_reply(record.keys))
        if not missing:
            await self._write(record.model_copy(update={"closed": True}))
            return
        state = await self._insist(partial(self._find, record))
        if state is None:
            return
        _log.info("adopted_batch=%s model=%s rows=%d", state.id, self._spec.id, len(record.keys))
        self._register(record, missing)
        self._start(record, self._follow(record, state))

    async def _find(self, record: BatchRecord) -> BatchState | None:
        if record.batch is None:
            return await self._server.find(record.tag)
        try:
            return await self._server.state(record.batch)
        except CallError as failure:
            if failure.http_status == _NOT_FOUND:  # of another account
                return None
            raise

    def _without_reply(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(key for key in keys if self._files.size(reply_name(key)) is None)

    def _register(self, record: BatchRecord, keys: tuple[str, ...]) -> None:
        """`keys`: those whose replies are not stored yet."""
        self._open[record.tag] = record
        self._record_of |= dict.fromkeys(keys, record.tag)

    async def _write(self, record: BatchRecord) -> None:
        data = canonical_json(record).encode()
        await self._disk.run(lambda: self._files.write(f"{FOLDER}/{record.tag}.json", data))

    def _read(self, name: str) -> BatchRecord:
        try:
            return BatchRecord.model_validate_json(self._files.read(f"{FOLDER}/{name}") or b"")
        except ValidationError as error:
            raise StorageError(
                f"{FOLDER}/{name} in {self._files.url} is damaged.",
                "Delete that file and run the same command again: its batch may then be paid twice.",
            ) from error

    def _without_batches(self, failure: CallError) -> ModelCallError:
        return ModelCallError(
            f"{self._spec.id} takes no batch: {failure.message}",
            f"Set {self._switch} to false and run the same command again.",
        )
