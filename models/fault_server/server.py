"""What becomes of a request for a reply, apart from any connection: read once, failed as planned or answered."""

import json
import math
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from models.fault_server.journal import Entry, Journal
from models.fault_server.openai_format import read_chat, write_chat, write_chat_error
from models.fault_server.plan import IN_TEXT, ONCE, Fault, FaultChooser, FaultPlan
from models.fault_server.question import Question, Said
from models.fault_server.replies import answer

_ERRORS = {
    Fault.RATE_LIMITED_ONCE: (429, "Rate limit reached, try again later."),
    Fault.SERVER_ERROR_ONCE: (500, "The server had an error."),
    Fault.UNAVAILABLE_ONCE: (503, "The engine is overloaded."),
    Fault.PERMANENT_400: (400, "This request will never be answered."),
}


class Format(NamedTuple):
    """One provider's wire format."""

    read: Callable[[str, dict[str, Any]], Question]
    write: Callable[[Question, Said, str, str], dict[str, Any]]
    write_error: Callable[[int, str], dict[str, Any]]


OPENAI = Format(read_chat, write_chat, write_chat_error)


class Outcome(NamedTuple):
    """What one request for a reply comes to. A `status` of None: the connection is reset."""

    status: int | None
    body: dict[str, Any]
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
        self._tokens, self._refilled = self._burst(), time.monotonic()

    def reset(self) -> None:
        self.journal.clear()
        self.set_plan(self.plan)

    def _burst(self) -> float:
        return max(1.0, math.floor(self.plan.requests_per_second or 0))

    def _over_rate(self) -> bool:
        if self.plan.requests_per_second is None:
            return False
        now = time.monotonic()
        self._tokens = min(self._burst(), self._tokens + (now - self._refilled) * self.plan.requests_per_second)
        self._refilled = now
        if self._tokens < 1:
            return True
        self._tokens -= 1
        return False

    async def decide(self, form: Format, path: str, data: bytes, entry: Entry) -> Outcome:
        """Reads a request for a reply, notes in its entry what it is, and makes the reply or the error."""
        try:
            question = form.read(path, json.loads(data))
        except ValueError as error:
            return Outcome(400, form.write_error(400, str(error)))
        key = question.key
        entry.model, entry.key, entry.turns = question.model, key, question.turns
        if self._over_rate():
            return Outcome(429, form.write_error(429, "Rate limit reached, try again later."))
        fault = self._fault_of(question, key)
        if fault is Fault.RESET_ONCE:
            return Outcome(None, {}, fault)
        if fault in _ERRORS:
            status, message = _ERRORS[fault]
            return Outcome(status, form.write_error(status, message), fault)
        said = answer(question, fault)
        return Outcome(200, form.write(question, said, key, self.plan.wrong_model_name or question.model), fault)

    def _fault_of(self, question: Question, key: str) -> Fault | None:
        self._seen[key] += 1
        fault = self._chooser.fault_of(key)
        if (fault in ONCE and self._seen[key] > 1) or (fault in IN_TEXT and question.turns):
            return None
        enough = question.max_tokens is None or question.max_tokens >= (self.plan.truncated_below or math.inf)
        if fault is Fault.TRUNCATED and self.plan.truncated_below is not None and enough:
            return None
        return fault
