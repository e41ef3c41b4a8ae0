"""Keeps the money of a build below its limit although calls run at the same time and their cost is known only
afterwards: each reserves its worst case before it is sent and settles when the true cost is in the ledger."""

import asyncio
from collections import deque

from core.errors import ModelCallError
from models.ledger import Ledger

_REFRESH_SECONDS = 2.0
_ROUNDING = 1e-9


class BudgetExhaustedError(ModelCallError):
    """No call that waits fits into what is left of the budget."""


class Budget:
    """`usd` None knows no limit. Belongs to one event loop; what other processes spend is read from the ledger."""

    def __init__(self, usd: float | None, ledger: Ledger) -> None:
        self._limit = usd
        self._ledger = ledger
        self._reserved = 0.0
        self._in_flight = 0
        self._waiting: deque[tuple[float, asyncio.Future[None]]] = deque()

    async def reserve(self, usd: float) -> None:
        """Waits until the money is free. Raises BudgetExhaustedError when no call is in flight that could free it."""
        if self._limit is None:
            return
        if not self._waiting and usd <= self._left() + _ROUNDING:
            self._take(usd)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((usd, future))
        self._serve()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self.settle(usd)
            raise

    def settle(self, usd: float) -> None:
        """Gives a reservation back: the call failed, or its cost is in the ledger by now."""
        if self._limit is None:
            return
        self._reserved -= usd
        self._in_flight -= 1
        self._serve()

    def _serve(self) -> None:
        """In the order of asking, so that a dear call is not passed over until the end."""
        while self._waiting:
            usd, future = self._waiting[0]
            if not future.done():
                if self._left() < usd - _ROUNDING:
                    break
                self._take(usd)
                future.set_result(None)
            self._waiting.popleft()
        if self._waiting and not self._in_flight:
            self._refuse_all()

    def _take(self, usd: float) -> None:
        self._reserved += usd
        self._in_flight += 1

    def _left(self) -> float:
        spent = self._ledger.spent(max_age_seconds=_REFRESH_SECONDS)
        return (self._limit or 0.0) - spent - self._reserved

    def _refuse_all(self) -> None:
        spent, needed = self._ledger.spent(), self._waiting[0][0]
        error = BudgetExhaustedError(
            f"The budget of {self._limit} US dollars does not cover the next call: {spent:.4f} are spent, "
            f"{self._left():.4f} are left and that call may cost up to {needed:.4f}.",
            "Raise --budget (or `budget_usd` in models.yaml) or lower `parameters.max_tokens`, then run the same "
            "command again: what was paid for is kept.",
        )
        while self._waiting:
            _, future = self._waiting.popleft()
            if not future.done():
                future.set_exception(error)
