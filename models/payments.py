"""What a build's money consists of: attempts that may be billed from the moment when they are sent, what was paid for
them, and those that were surely not billed. Lines of the ledger are these records as JSON."""

from datetime import UTC, datetime

from pydantic import Field

from core.records import Record


class Attempt(Record):
    """A request that is sent. Until a payment or a release names its `id` it may be billed, at most at `worst_usd` (0
    without a price). One in a batch stays under way at the provider when this process ends. `time` as in Payment."""

    id: str
    key: str
    worst_usd: float = Field(ge=0, allow_inf_nan=False)
    model: str
    batch: bool = False
    time: str


class Payment(Record):
    """`usd` is 0 for a reply without a price. `time` is UTC in ISO 8601. A reply that two processes paid for stands
    twice. `attempt` is the id of the attempt that it came by, which is paid once however often that is noted."""

    key: str
    usd: float = Field(ge=0, allow_inf_nan=False)
    model: str
    time: str
    attempt: str | None = None


class Release(Record):
    """An attempt that was surely not billed."""

    released: str


Entry = Payment | Attempt | Release


class Account:
    """The sum of entries, in whatever order files are read. Of one attempt only the same or a later process knows more,
    so that what is closed once stays so."""

    def __init__(self) -> None:
        self.paid = 0.0
        self.open_usd = 0.0
        self.open: dict[str, Attempt] = {}
        self._batched: dict[str, str] = {}
        self._closed: set[str] = set()
        self._paid: set[str] = set()

    def enter(self, entry: Entry) -> None:
        match entry:
            case Attempt():
                if entry.id not in self._closed and entry.id not in self.open:
                    self.open[entry.id] = entry
                    self.open_usd += entry.worst_usd
                    if entry.batch:
                        self._batched[entry.key] = entry.id
                    else:  # what a batch did not bring is asked for apart: no later batch is that one
                        self._batched.pop(entry.key, None)
            case Payment():
                if entry.attempt not in self._paid:
                    self.paid += entry.usd
                if entry.attempt is not None:
                    self._paid.add(entry.attempt)
                self._close(entry.attempt)
            case Release():
                self._close(entry.released)

    def in_batch(self, key: str) -> Attempt | None:
        """The attempt of a batch that may still hold this request."""
        return self.open.get(self._batched.get(key, ""))

    def _close(self, attempt: str | None) -> None:
        if attempt is not None:
            self._closed.add(attempt)
            found = self.open.pop(attempt, None)
            self.open_usd -= found.worst_usd if found else 0.0
            if not self.open:
                self.open_usd = 0.0  # what adding and taking away leaves of 0.1 and 0.2 is no money


def time_now() -> str:
    """UTC in ISO 8601, always as long, so that times compare as texts."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
