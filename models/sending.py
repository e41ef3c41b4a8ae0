"""From a request to its stored reply: looked up, asked at most once at a time, paced, paid within the budget, tried
again where that helps, and on disk before anyone sees it."""

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from core.calls import AnswerStatus
from core.errors import FlawbenchError, ModelCallError, StorageError
from core.records import Blob, Record
from models.base import Asked, CallError, FailureKind, ModelRequest, Parsed, ReadPicture, Received, StoredReply, Usage
from models.budget import Budget, BudgetExhaustedError
from models.ledger import Ledger, Payment
from models.lines import Line
from models.reading import Reading, read_reply
from models.reply_store import ReplyStore, reply_name
from models.requests import request_key
from models.stops import out_of_attempts, stop_for

_log = logging.getLogger(__name__)
_DISK_THREADS = 8
_FIRST_PAUSE = 0.1
_PAUSE_FACTOR = 5.0
_LONGEST_PAUSE = 60.0
_LONGEST_WAIT = 300.0
_SAME_FAILURES = 3
_BROKEN = 500

Result = TypeVar("Result")


@dataclass(frozen=True)
class Surroundings:
    """What a call reads and writes. `build` is noted in replies."""

    store: ReplyStore
    ledger: Ledger
    read_picture: ReadPicture
    put_blob: Callable[[Blob], None]
    build: str


class Fetched(NamedTuple):
    asked: Asked
    reading: Reading


class _Errand(NamedTuple):
    """One request on its way; `reply` is the record that it must be."""

    line: Line
    request: ModelRequest
    reply: type[Record] | None
    key: str


class Sender:
    """Belongs to one event loop."""

    def __init__(self, around: Surroundings, budget: Budget) -> None:
        self._around = around
        self._budget = budget
        self._disk = ThreadPoolExecutor(_DISK_THREADS, thread_name_prefix="replies")
        self._flights: dict[str, asyncio.Task[Fetched]] = {}
        self._sent: set[str] = set()
        self._lines: dict[str, Line] = {}
        self._replies: Counter[str] = Counter()
        self._stopped: FlawbenchError | None = None
        self._jitter = random.Random()

    async def fetch(self, line: Line, request: ModelRequest, reply: type[Record] | None) -> Fetched:
        """Raises ModelCallError for what ends the run, StorageError, and ConfigurationError of a provider."""
        key = request_key(request)
        self._lines[line.name] = line
        flight = self._flights.get(key)
        if flight:
            shared = await asyncio.shield(flight)
            return shared._replace(asked=replace(shared.asked, paid=False))
        flight = asyncio.create_task(self._fetch(_Errand(line, request, reply, key)))
        self._flights[key] = flight
        flight.add_done_callback(lambda done: self._land(key, done))
        return await asyncio.shield(flight)

    def stop(self, error: FlawbenchError) -> None:
        """Nothing more is sent; what is in flight is still received and stored."""
        if self._stopped is None:
            self._stopped = error
            for line in self._lines.values():
                line.pace.stop(error)

    async def close(self, grace_seconds: float) -> None:
        """Gives up what waits, and after the grace also what is in flight."""
        self.stop(ModelCallError("The calls were stopped.", "Run the same command again: what was paid for is kept."))
        for key, flight in self._flights.items():
            if key not in self._sent:
                flight.cancel()
        if self._flights:
            if self._sent:
                _log.warning("waiting_for_replies=%d at_most_seconds=%g", len(self._sent), grace_seconds)
            await asyncio.wait(self._flights.values(), timeout=grace_seconds)
        left = list(self._flights.values())
        for flight in left:
            flight.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._disk.shutdown(wait=True)

    def _land(self, key: str, flight: "asyncio.Task[Fetched]") -> None:
        del self._flights[key]
        if not flight.cancelled():
            flight.exception()  # seen here, since all who asked may have gone

    async def _fetch(self, errand: _Errand) -> Fetched:
        found = await self._look_up(errand)
        if found:
            return found
        attempt, replies, failures = 1, self._replies[errand.line.name], list[CallError]()
        while isinstance(done := await self._attempt(errand, attempt), CallError):
            failures.append(done)
            if self._replies[errand.line.name] > replies and _blames_request(failures):
                return await self._keep_failure(errand, done, attempt, datetime.now(UTC))
            if attempt == errand.line.spec.attempts:
                break
            await asyncio.sleep(self._pause(done, attempt))
            attempt += 1
        else:
            return done
        error = out_of_attempts(errand.line, done)
        self.stop(error)
        raise error

    async def _attempt(self, errand: _Errand, attempt: int) -> Fetched | CallError:
        """The reply, or a failure after which it is of use to try again. Raises what ends the run."""
        line = errand.line
        expected = line.expected_tokens(errand.request)
        waited = await line.pace.enter(expected, urgent=attempt > 1)
        try:
            found = await self._look_up(errand) if waited else None
            return found or await self._ask_within_budget(errand, attempt, expected)
        finally:
            line.pace.leave()

    async def _ask_within_budget(self, errand: _Errand, attempt: int, expected: float) -> Fetched | CallError:
        worst = errand.line.worst(errand.request)
        try:
            await self._budget.reserve(worst)
        except BudgetExhaustedError as error:
            self.stop(error)
            raise
        self._sent.add(errand.key)
        try:
            return await self._ask(errand, attempt, expected)
        finally:
            self._sent.discard(errand.key)
            self._budget.settle(worst)

    async def _ask(self, errand: _Errand, attempt: int, expected: float) -> Fetched | CallError:
        line, asked, clock = errand.line, datetime.now(UTC), time.monotonic()
        try:
            received = await line.provider.ask(errand.request, self._around.read_picture, line.spec.timeout_seconds)
        except CallError as failure:
            return await self._meet(errand, failure, attempt, asked)
        latency = time.monotonic() - clock
        parsed = line.provider.parse(received.body)
        self._replies[line.name] += 1
        line.pace.replied((parsed.usage.prompt or 0) + (parsed.usage.completion or 0) - expected)
        reading = read_reply(parsed, errand.reply)
        stored = StoredReply(
            key=errand.key,
            request=errand.request,
            body=received.body,
            pictures=tuple(blob.picture for blob in received.blobs),
            provider_request_id=received.request_id,
            usage=parsed.usage,
            finish_reason=parsed.finish_reason,
            model_reported=parsed.model_reported,
            status=reading.status,
            usd=line.paid(errand.request, parsed.usage, len(received.blobs)),
            price_date=line.price.date if line.price else None,
            attempts=attempt,
            latency_seconds=round(latency, 3),
            asked=_text(asked),
            build=self._around.build,
        )
        await self._in_thread(lambda: self._keep(stored, received, line))
        return Fetched(Asked(stored, parsed, True, received.blobs), reading)

    def _keep(self, stored: StoredReply, received: Received, line: Line) -> None:
        for blob in received.blobs:
            self._around.put_blob(blob)
        self._around.store.put(stored)
        payment = Payment(key=stored.key, usd=stored.usd or 0.0, model=line.spec.id, time=stored.asked)
        self._around.ledger.add(payment)

    async def _meet(self, errand: _Errand, failure: CallError, attempt: int, asked: datetime) -> Fetched | CallError:
        match failure.kind:
            case FailureKind.KEY | FailureKind.BROKE:
                error = stop_for(errand.line, failure)
                self.stop(error)
                raise error from failure
            case FailureKind.PERMANENT:
                return await self._keep_failure(errand, failure, attempt, asked)
            case FailureKind.RATE:
                errand.line.pace.limited(failure.retry_after)
            case FailureKind.TEMPORARY:
                pass
        _log.info("failed=%s model=%s attempt=%d", failure.message, errand.line.name, attempt)
        return failure

    async def _keep_failure(self, errand: _Errand, failure: CallError, attempt: int, asked: datetime) -> Fetched:
        stored = StoredReply(
            key=errand.key,
            request=errand.request,
            failure=failure.message,
            http_status=failure.http_status,
            status=AnswerStatus.FAILED,
            attempts=attempt,
            asked=_text(asked),
            build=self._around.build,
        )
        await self._in_thread(lambda: self._around.store.put(stored))
        return _failed(stored, paid=True)

    async def _look_up(self, errand: _Errand) -> Fetched | None:
        stored = await self._in_thread(lambda: self._around.store.get(errand.key))
        if stored is None:
            return None
        if stored.body is None:
            return _failed(stored, paid=False)
        try:
            parsed = errand.line.provider.parse(stored.body)
        except ValueError as error:
            raise StorageError(
                f"{reply_name(errand.key)} is damaged: its body is no reply of {errand.line.spec.id}.",
                "Delete that file and run the same command again: this one reply is asked for once more.",
            ) from error
        blobs = await self._in_thread(lambda: self._read_pictures(stored)) if stored.pictures else ()
        return Fetched(Asked(stored, parsed, False, blobs), read_reply(parsed, errand.reply))

    def _read_pictures(self, stored: StoredReply) -> tuple[Blob, ...]:
        return tuple(Blob(picture, self._around.read_picture(picture)) for picture in stored.pictures)

    def _pause(self, failure: CallError, attempt: int) -> float:
        longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * _PAUSE_FACTOR ** (attempt - 1))
        own = longest * (0.5 + self._jitter.random() / 2)
        return max(own, min(failure.retry_after or 0.0, _LONGEST_WAIT))

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work)


def _failed(stored: StoredReply, paid: bool) -> Fetched:
    detail = stored.failure or ""
    parsed = Parsed(AnswerStatus.FAILED, "", None, Usage(), None, detail=detail)
    return Fetched(Asked(stored, parsed, paid), Reading(AnswerStatus.FAILED, None, detail))


def _blames_request(failures: list[CallError]) -> bool:
    """The server breaks on this very request, with the same words again and again, while it answers others: such as
    llama.cpp on a picture when its model reads text only."""
    last = failures[-_SAME_FAILURES:]
    same = {(failure.http_status, failure.message) for failure in last}
    return len(last) == _SAME_FAILURES and len(same) == 1 and last[0].http_status == _BROKEN


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")
