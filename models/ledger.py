"""What was paid for a build and what may have been: a line for each request when it is sent, and one for what came of
it. So the budget knows what is spent when a run goes on after a kill, and counts requests that a provider may bill
although their replies never came. A file is written by one process."""

import itertools
import os
import socket
import threading
import time
import uuid
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from core.errors import StorageError
from models.payments import Account, Attempt, Entry, Payment, Release

_LINE: TypeAdapter[Entry] = TypeAdapter(Entry)


class Ledger:
    """`folder` is that of one build, `spending/<build>` in the data folder. Methods raise StorageError; they may be
    called from any thread. What they write is written when they return: a kill of the process does not take it back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = uuid.uuid4().hex[:8]
        self._own = folder / f"{socket.gethostname()}.{os.getpid()}.{self._process}.jsonl"
        self._numbers = itertools.count(1)
        self._file: int | None = None
        self._read_to: dict[Path, int] = {}
        self._read_at = float("-inf")
        self._account = Account()
        self._lock = threading.Lock()

    def add(self, payment: Payment) -> None:
        self._write(payment)

    def add_missing(self, payment: Payment) -> None:
        """What a process paid that ended before it came to note it, or could not write. Nothing where that attempt is
        none of this build or is closed."""
        self._refresh(float("inf"))
        if payment.attempt in self._account.open:
            self._write(payment)

    def make_attempt(
        self, key: str, worst_usd: float, model: str, batch: bool, time: str, lost: bool = False
    ) -> Attempt:
        """Not written yet. Where a batch of an earlier process may still hold the request, that attempt goes on;
        where that batch is `lost`, it stays beside the new one."""
        if batch and not lost:
            self._refresh(float("inf"))
            earlier = self._account.in_batch(key)
            if earlier:
                return earlier
        number = f"{self._process}-{next(self._numbers)}"
        return Attempt(id=number, key=key, worst_usd=worst_usd, model=model, batch=batch, time=time)

    def is_open(self, attempt: Attempt) -> bool:
        return attempt.id in self._account.open

    def open(self, attempt: Attempt) -> None:
        """It may be billed from now on."""
        if not self.is_open(attempt):
            self._write(attempt)

    def release(self, attempt: Attempt) -> None:
        """It was surely not billed."""
        self._write(Release(released=attempt.id))

    def spent(self, max_age_seconds: float = 0.0) -> float:
        """US dollars by all processes, in this run and before. What others wrote is read again when it was read longer
        ago than that."""
        self._refresh(max_age_seconds)
        return self._account.paid

    def unanswered(self, max_age_seconds: float = 0.0) -> float:
        """US dollars that attempts without a reply, those in flight included, may have cost at most; age as above."""
        self._refresh(max_age_seconds)
        return max(0.0, self._account.open_usd)

    def payments(self) -> list[Payment]:
        """All of the build, by time."""
        found = [entry for entry in self._entries() if isinstance(entry, Payment)]
        once = {payment.attempt or number: payment for number, payment in enumerate(found)}
        return sorted(once.values(), key=lambda payment: (payment.time, payment.key))

    def attempts(self) -> list[Attempt]:
        """All of the build that may be billed without a reply, by time."""
        account = Account()
        for entry in self._entries():
            account.enter(entry)
        return sorted(account.open.values(), key=lambda attempt: (attempt.time, attempt.id))

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _write(self, entry: Entry) -> None:
        data = entry.model_dump_json(exclude_defaults=True).encode() + b"\n"
        with self._lock:
            self._account.enter(entry)
            try:
                _append(self._file or self._create(), data)
            except OSError as error:
                raise _unusable(self._own, "written", error) from error

    def _create(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self._own, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        return self._file

    def _refresh(self, max_age_seconds: float) -> None:
        if time.monotonic() - self._read_at < max_age_seconds:
            return
        with self._lock:
            self._read_at = time.monotonic()
            for path in self._paths():
                if path != self._own:
                    for entry in self._read_on(path):
                        self._account.enter(entry)

    def _entries(self) -> list[Entry]:
        return [entry for path in self._paths() for entry in _parse(path, _read_from(path, 0))]

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("*.jsonl"))

    def _read_on(self, path: Path) -> list[Entry]:
        start = self._read_to.get(path, 0)
        data = _read_from(path, start)
        self._read_to[path] = start + len(data)
        return _parse(path, data)


def _append(descriptor: int, data: bytes) -> None:
    """Whole or not at all: half a line would spoil the next one. One call may write a part."""
    end, left = os.fstat(descriptor).st_size, memoryview(data)
    try:
        while left:
            left = left[os.write(descriptor, left) :]
    except OSError:
        os.ftruncate(descriptor, end)
        raise


def _read_from(path: Path, start: int) -> bytes:
    """Whole lines only: the last one may be half written, by a process that runs or by one that was killed."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
    except OSError as error:
        raise _unusable(path, "read", error) from error
    return data[: data.rfind(b"\n") + 1]


def _parse(path: Path, data: bytes) -> list[Entry]:
    entries: list[Entry] = []
    for line in data.splitlines():
        try:
            entries.append(_LINE.validate_json(line))
        except ValidationError as error:
            raise StorageError(
                f"{path} holds a line that is no payment: {line[:80]!r}.",
                "Delete that line and run the same command again; compare the spending with the provider's bill.",
            ) from error
    return entries


def _unusable(path: Path, action: str, error: OSError) -> StorageError:
    return StorageError(
        f"The spending {path} cannot be {action}: {error.strerror or error}.",
        "Free space or give this user access to the folder, then run the same command again.",
    )
