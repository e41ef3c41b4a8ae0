"""Keeps the money of a build below its limit although calls run at the same time and their cost is known only
afterwards: each reserves its worst case, by an entry in the ledger, before it is sent. The reservation ends when the
true cost is in the ledger or nothing was billed; where nobody can know, it stays."""

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager

from core.errors import FlawbenchError, ModelCallError
from models.base import CallError, MaybeSentError
from models.ledger import Ledger
from models.payments import Attempt

_REFRESH_SECONDS = 2.0
_ROUNDING = 1e-9


class BudgetExhaustedError(ModelCallError):
    """No call that waits fits into what is left of the budget."""


class Budget:
    """`usd` None knows no limit; `file` is where it stands. Belongs to one event loop; what other processes spend is
    read from the ledger."""

    def __init__(self, usd: float | None, ledger: Ledger, file: str) -> None:
        self._limit = usd
        self._file = file
        self._ledger = ledger
        self._in_flight = 0
        self._waiting: deque[tuple[Attempt, asyncio.Future[None]]] = deque()

    async def reserve(self, attempt: Attempt) -> None:
        """Waits until the money is free, and writes the attempt down. Raises BudgetExhaustedError when no call is in
        flight that could free it, StorageError."""
        if self._limit is None or (not self._waiting and self._fits(attempt)):
            self._take(attempt)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((attempt, future))
        self._serve()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self._ledger.release(attempt)
                self.settle()
            raise

    def settle(self) -> None:
        """A call ended: its entry in the ledger is closed, or stays since it may be billed."""
        self._in_flight -= 1
        self._serve()

    @contextmanager
    def freed_unless_billed(self, attempt: Attempt) -> Generator[None, None, None]:
        """Around the call itself: gives the money back where it failed in a way that costs nothing."""
        try:
            yield
        except MaybeSentError:
            raise
        except CallError as failure:
            if not failure.maybe_billed:
                self._ledger.release(attempt)
            raise
        except FlawbenchError:
            self._ledger.release(attempt)
            raise

    def _serve(self) -> None:
        """In the order of asking, so that a dear call is not passed over until the end."""
        while self._waiting:
            attempt, future = self._waiting[0]
            if not future.done():
                if not self._fits(attempt):
                    break
                self._take(attempt)
                future.set_result(None)
            self._waiting.popleft()
        if self._waiting and not self._in_flight:
            self._refuse_all()

    def _fits(self, attempt: Attempt) -> bool:
        return self._ledger.is_open(attempt) or attempt.worst_usd <= self._left() + _ROUNDING

    def _take(self, attempt: Attempt) -> None:
        self._ledger.open(attempt)
        self._in_flight += 1

    def _left(self) -> float:
        spent = self._ledger.spent(_REFRESH_SECONDS)
        return (self._limit or 0.0) - spent - self._ledger.unanswered(_REFRESH_SECONDS)

    def _refuse_all(self) -> None:
        spent, unanswered = self._ledger.spent(), self._ledger.unanswered()
        needed = self._waiting[0][0].worst_usd
        error = BudgetExhaustedError(
            f"The budget of {self._limit} US dollars does not cover the next call: {spent:.4f} are spent, "
            f"up to {unanswered:.4f} may have been billed without a reply, {self._left():.4f} are left and that call "
            f"may cost up to {needed:.4f}.",
            f"Raise --budget (or `budget_usd` in {self._file}) or lower `parameters.max_tokens`, then run the same "
            "command again: what was paid for is kept.",
        )
        while self._waiting:
            _, future = self._waiting.popleft()
            if not future.done():
                future.set_exception(error)
