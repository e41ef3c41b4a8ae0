"""From a request to its stored reply: looked up, asked at most once at a time, paced, paid within the budget, and tried
again where that helps."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from core.calls import AnswerStatus
from core.errors import ConfigurationError, FlawbenchError, ModelCallError, StorageError
from core.records import Record
from models.base import Asked, CallError, FailureKind, ModelRequest, Received, StoredReply
from models.budget import Budget, BudgetExhaustedError
from models.claims import Claims
from models.disk import Disk
from models.failing import judge_failures
from models.health import LineHealth
from models.lines import Line
from models.payments import Attempt, time_now
from models.providers.registry import parse_stored
from models.reading import read_reply
from models.requests import request_key
from models.shelf import Fetched, Shelf, Surroundings
from models.stops import not_kept, stop_for
from models.usage import believe

_log = logging.getLogger("flawbench.calls")


class _Errand(NamedTuple):
    """One request on its way; `reply` is the record that it must be. When it was looked up, the model had given
    `began` replies and `met` other processes had been seen."""

    line: Line
    request: ModelRequest
    reply: type[Record] | None
    key: str
    began: int
    met: int


class _Try(NamedTuple):
    """The `number`-th time, from 1, that an errand is run; `expected`: tokens, for the limit of the account."""

    errand: _Errand
    number: int
    batch: bool = False
    expected: float = 0.0


class Sender:
    """Belongs to one event loop. `check` is awaited before anything is sent; a ConfigurationError stops."""

    def __init__(self, around: Surroundings, budget: Budget, disk: Disk, check: Callable[[], Awaitable[None]]) -> None:
        self._around = around
        self._budget = budget
        self._shelf = Shelf(around, disk)
        self._claims = Claims(around.store.files, disk)
        self._flights: dict[str, asyncio.Task[Fetched]] = {}
        self._sent: set[str] = set()
        self._lines: dict[str, Line] = {}
        self._healths: dict[str, LineHealth] = {}
        self._stopped: FlawbenchError | None = None
        self._check = check

    async def fetch(self, line: Line, request: ModelRequest, reply: type[Record] | None) -> Fetched:
        """Raises ModelCallError for what ends the run, StorageError, and ConfigurationError of a provider."""
        key = request_key(request)
        self._lines[line.name] = line
        flight = self._flights.get(key)
        if flight:
            shared = await asyncio.shield(flight)
            return shared._replace(asked=replace(shared.asked, paid=False))
        flight = asyncio.create_task(
            self._fetch(_Errand(line, request, reply, key, self._health(line).replies, self._claims.met))
        )
        self._flights[key] = flight
        flight.add_done_callback(lambda done: self._land(key, done))
        return await asyncio.shield(flight)

    def stop(self, error: FlawbenchError) -> FlawbenchError:
        """Nothing more is sent; what is in flight is still received and stored. Gives the error back, to be raised."""
        if self._stopped is None:
            self._stopped = error
            for line in self._lines.values():
                line.pace.stop(error)
                if line.batches:
                    line.batches.stop(error)
        return error

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
        await self._claims.close()

    def _land(self, key: str, flight: "asyncio.Task[Fetched]") -> None:
        del self._flights[key]
        if not flight.cancelled():
            flight.exception()  # seen here, since all who asked may have gone

    async def _fetch(self, errand: _Errand) -> Fetched:
        found = await self._look_up(errand)
        if found:
            return found
        try:
            await self._check()
        except ConfigurationError as error:
            raise self.stop(error) from None
        self._health(errand.line).begin()
        try:
            done = await self._keep_trying(errand)
        finally:
            self._claims.release(errand.key)
            self._health(errand.line).end()
        if errand.line.batches:
            await errand.line.batches.stored(errand.key)
        return done

    async def _keep_trying(self, errand: _Errand) -> Fetched:
        failures: list[CallError] = []
        while True:
            done = await self._attempt(errand, len(failures) + 1)
            done = done or await self._wait_for_others(errand)
            if isinstance(done, CallError):
                failures.append(done)
                done = await self._meet_again(errand, failures)
            if done:
                return done

    async def _meet_again(self, errand: _Errand, failures: list[CallError]) -> Fetched | None:
        """None when it is to be tried again. Raises what ends the run."""
        try:
            pause = await judge_failures(errand.line, self._health(errand.line), failures, errand.began)
        except ModelCallError as error:
            raise self.stop(error) from None
        if self._stopped:
            raise self._stopped
        if pause is None:
            return await self._keep_failure(errand, failures[-1], len(failures))
        await asyncio.sleep(pause)
        return None

    async def _wait_for_others(self, errand: _Errand) -> Fetched | None:
        """The reply that another process came by, None when it gave up."""
        claimed, health = True, self._health(errand.line)
        while claimed:
            health.end()  # for the time: two processes may wait for each other's refused rows
            try:
                claimed = await self._claims.wait_elsewhere(errand.key)
            finally:
                health.begin()
            found = await self._look_up(errand)
            if found:
                return found
            if self._stopped:
                raise self._stopped
        return None

    async def _attempt(self, errand: _Errand, number: int) -> Fetched | CallError | None:
        """The reply, a failure after which it is of use to try again, or None where another process asks for it now.
        Raises what ends the run. What a batch did not come to is asked for on its own."""
        line = errand.line
        if line.batches and number == 1:
            return await self._claim_and_ask(_Try(errand, number, batch=True))
        expected = line.expected_tokens(errand.request)
        await line.pace.enter(expected, urgent=number > 1)
        try:
            return await self._claim_and_ask(_Try(errand, number, expected=expected))
        finally:
            line.pace.leave()

    async def _claim_and_ask(self, attempt: _Try) -> Fetched | CallError | None:
        errand = attempt.errand
        if not await self._claims.take(errand.key):
            return None
        news = self._claims.shared or self._claims.met > errand.met
        found = await self._look_up(errand) if news else None
        return found or await self._ask_within_budget(attempt)

    async def _ask_within_budget(self, attempt: _Try) -> Fetched | CallError:
        errand, line = attempt.errand, attempt.errand.line
        worst = line.worst(errand.request, attempt.batch)
        lost = bool(attempt.batch and line.batches and await line.batches.has_lost(errand.key))
        paid = self._around.ledger.make_attempt(errand.key, worst, line.spec.id, attempt.batch, time_now(), lost)
        try:
            await self._budget.reserve(paid)
        except BudgetExhaustedError as error:
            raise self.stop(error) from None
        try:
            return await self._ask(attempt, paid)
        finally:
            self._sent.discard(errand.key)
            self._budget.settle()

    async def _ask(self, attempt: _Try, paid: Attempt) -> Fetched | CallError:
        errand, health = attempt.errand, self._health(attempt.errand.line)
        asked, clock, refusals = time_now(), time.monotonic(), health.refusals
        try:
            with self._budget.freed_unless_billed(paid):
                received = await self._send(attempt)
        except CallError as failure:
            return self._meet(errand, failure, attempt.number)
        self._sent.add(errand.key)
        health.replied(health.refusals if attempt.batch else refusals)
        return await self._receive(attempt, paid, received, asked, time.monotonic() - clock)

    async def _send(self, attempt: _Try) -> Received:
        errand, line, read = attempt.errand, attempt.errand.line, self._around.read_picture
        if self._stopped:  # while it waited for a claim or for money
            raise self._stopped
        if attempt.batch and line.batches:
            return await line.batches.ask(errand.key, errand.request, read)
        self._sent.add(errand.key)
        return await line.provider.ask(errand.request, read, line.spec.timeout_seconds)

    async def _receive(self, attempt: _Try, paid: Attempt, received: Received, asked: str, latency: float) -> Fetched:
        errand, line = attempt.errand, attempt.errand.line
        parsed = parse_stored(line.spec.provider, received.body)
        usage = believe(parsed.usage, errand.request)
        if not attempt.batch:
            line.pace.replied((usage.prompt or 0) + (usage.completion or 0) - attempt.expected)
        reading = read_reply(parsed, errand.reply)
        stored = StoredReply(
            key=errand.key,
            request=errand.request,
            body=received.body,
            pictures=tuple(blob.picture for blob in received.blobs),
            provider_request_id=received.request_id,
            usage=usage,
            finish_reason=parsed.finish_reason,
            model_reported=parsed.model_reported,
            status=reading.status,
            usd=line.paid(errand.request, usage, len(received.blobs), attempt.batch),
            price_date=line.price.date if line.price else None,
            batch=attempt.batch,
            attempts=attempt.number,
            latency_seconds=round(latency, 3),
            asked=asked,
            build=self._around.build,
            paid_as=paid.id,
        )
        new = Fetched(Asked(stored, parsed, True, received.blobs), reading)
        return await self._kept(line, self._shelf.keep(line, new, errand.reply))

    def _meet(self, errand: _Errand, failure: CallError, attempt: int) -> CallError:
        match failure.kind:
            case FailureKind.KEY | FailureKind.BROKE:
                # Nothing of the SDK's own error goes on: it may repeat the key, and Prefect logs whole chains.
                raise self.stop(stop_for(errand.line, failure)) from None
            case FailureKind.RATE:
                errand.line.pace.limited(failure.retry_after)
            case FailureKind.PERMANENT | FailureKind.UNFIT | FailureKind.MOVED | FailureKind.TEMPORARY:
                pass
        _log.debug("failed=%s model=%s attempt=%d", failure.message, errand.line.name, attempt)
        return failure

    async def _keep_failure(self, errand: _Errand, failure: CallError, attempts: int) -> Fetched:
        stored = StoredReply(
            key=errand.key,
            request=errand.request,
            failure=failure.message,
            http_status=failure.http_status,
            status=AnswerStatus.FAILED,
            attempts=attempts,
            asked=time_now(),
            build=self._around.build,
        )
        return await self._kept(errand.line, self._shelf.keep_failure(stored, errand.reply))

    async def _kept(self, line: Line, keeping: Awaitable[Fetched]) -> Fetched:
        """Where a reply cannot be kept, none that costs money is asked for any more."""
        try:
            return await keeping
        except StorageError as error:
            raise self.stop(not_kept(line, error)) from error

    def _health(self, line: Line) -> LineHealth:
        if line.name not in self._healths:
            known = any(payment.model == line.spec.id for payment in self._around.ledger.payments())
            self._healths[line.name] = LineHealth(known)
        return self._healths[line.name]

    async def _look_up(self, errand: _Errand) -> Fetched | None:
        return await self._shelf.look_up(errand.line, errand.key, errand.reply)
