"""What becomes of a request for a reply, apart from any connection: read once, failed as planned or answered."""

import asyncio
import math
import time
from collections import Counter
from typing import Any, NamedTuple, cast

from models.fault_server.formats import Format
from models.fault_server.journal import Entry, Journal
from models.fault_server.picture_edits import recolour
from models.fault_server.plan import IN_TEXT, ONCE, Fault, FaultChooser, FaultPlan
from models.fault_server.question import BadRequestError, Question, Said
from models.fault_server.replies import answer
from models.scripted_texts import drawn_box, read_box

_TOO_MANY = "Rate limit reached, try again later."
_PAGE = b"<html><body>Please log in to the network.</body></html>"
_USAGES = ("usage", "usageMetadata")
_ERRORS = {
    Fault.RATE_LIMITED_ONCE: (429, _TOO_MANY),
    Fault.SERVER_ERROR_ONCE: (500, "The server had an error."),
    Fault.UNAVAILABLE_ONCE: (503, "The engine is overloaded."),
    Fault.PERMANENT_400: (400, "This request will never be answered."),
}


class Outcome(NamedTuple):
    """What one request comes to. A `status` of None: the connection is reset."""

    status: int | None
    body: dict[str, Any] | bytes
    fault: Fault | None = None


class FaultServer:
    """Holds the plan, the log and the rows that have met their one failure."""

    def __init__(self, plan: FaultPlan, journal: Journal) -> None:
        self.journal = journal
        self.set_plan(plan)

    def set_plan(self, plan: FaultPlan) -> None:
        """Rows that failed once may fail once again, and the rate limit starts afresh."""
        self.plan = plan
        self._chooser = FaultChooser(plan)
        self._seen: Counter[str] = Counter()
        self._allowed, self._refilled = self._burst(), time.monotonic()

    def reset(self) -> None:
        self.journal.clear()
        self.set_plan(self.plan)

    async def decide(self, form: Format, path: str, body: dict[str, Any], entry: Entry) -> Outcome:
        """Notes in the entry which row is asked and what is done to it, and makes the reply or the error. The rate
        limit does not hold for rows of a batch."""
        try:
            outcome = await self._decide(form, form.read(path, body), entry)
        except BadRequestError as error:
            outcome = Outcome(400, form.write_error(400, str(error)))
        entry.status, entry.fault = outcome.status, outcome.fault
        return outcome

    async def _decide(self, form: Format, question: Question, entry: Entry) -> Outcome:
        key = question.key
        entry.model, entry.key, entry.turns = question.model, key, question.turns
        if question.model in self.plan.unknown_models:
            return Outcome(404, form.write_error(404, f"The model `{question.model}` does not exist."))
        if entry.batch is None and self._over_rate():
            return Outcome(429, form.write_error(429, _TOO_MANY))
        fault = self._fault_of(question, key)
        if fault is Fault.RESET_ONCE:
            return Outcome(None, {}, fault)
        if fault is not None and fault in _ERRORS:
            status, message = _ERRORS[fault]
            return Outcome(status, form.write_error(status, message), fault)
        if fault is Fault.UNREADABLE_ONCE:
            return Outcome(200, _PAGE, fault)
        said = await _say(question, key, fault)
        body = form.write(question, said, key, self.plan.wrong_model_name or question.model)
        if self.plan.every_count is not None:
            body |= {name: _recount(body[name], self.plan.every_count) for name in _USAGES if name in body}
        return Outcome(200, body, fault)

    def _fault_of(self, question: Question, key: str) -> Fault | None:
        self._seen[key] += 1
        fault = self._chooser.fault_of(key)
        if (fault in ONCE and self._seen[key] > 1) or (fault in IN_TEXT and question.turns):
            return None
        below = self.plan.truncated_below
        if fault is Fault.TRUNCATED and below is not None and (question.max_tokens or math.inf) >= below:
            return None
        return fault

    def _burst(self) -> float:
        return max(1.0, math.floor(self.plan.requests_per_second or 0))

    def _over_rate(self) -> bool:
        if self.plan.requests_per_second is None:
            return False
        now = time.monotonic()
        self._allowed = min(self._burst(), self._allowed + (now - self._refilled) * self.plan.requests_per_second)
        self._refilled = now
        if self._allowed < 1:
            return True
        self._allowed -= 1
        return False


def _recount(usage: object, count: float | str) -> object:
    """With the same parts and other numbers."""
    if isinstance(usage, dict):
        return {name: _recount(value, count) for name, value in cast("dict[str, object]", usage).items()}
    if isinstance(usage, list):
        return [_recount(item, count) for item in cast("list[object]", usage)]
    return count if isinstance(usage, int) else usage


async def _say(question: Question, key: str, fault: Fault | None) -> Said:
    """A made picture goes with a short text; a reply that a fault takes the text of has no picture."""
    if not question.wants_picture or fault in (Fault.TRUNCATED, Fault.EMPTY, Fault.REFUSAL):
        return answer(question, fault)
    if not question.pictures:
        raise BadRequestError("there is no picture to edit")
    place = read_box("\n".join(question.texts)) or drawn_box(key)
    try:
        picture = await asyncio.to_thread(recolour, question.pictures[-1], place)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return Said("Here is the edited picture.", picture=picture)
