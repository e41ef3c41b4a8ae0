"""What was paid for a build, one line for each reply at the moment when it was stored: how the budget knows what is
spent when a run goes on after a kill, and what other processes spent meanwhile. A file is written by one process."""

import os
import socket
import threading
import time
import uuid
from pathlib import Path

from pydantic import Field, ValidationError

from core.errors import StorageError
from core.records import Record


class Payment(Record):
    """`usd` is 0 for a reply without a price. `time` is UTC in ISO 8601. A reply that two processes paid for stands
    twice."""

    key: str
    usd: float = Field(ge=0, allow_inf_nan=False)
    model: str
    time: str


class Ledger:
    """`folder` is that of one build, `spending/<build>` in the data folder. Methods raise StorageError; they may be
    called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = folder / f"{socket.gethostname()}.{os.getpid()}.{uuid.uuid4().hex[:8]}.jsonl"
        self._file: int | None = None
        self._read_to: dict[Path, int] = {}
        self._read_at = float("-inf")
        self._others = 0.0
        self._mine = 0.0
        self._lock = threading.Lock()

    def add(self, payment: Payment) -> None:
        """Written when it returns; a kill of the process does not take it back."""
        line = payment.model_dump_json().encode() + b"\n"
        with self._lock:
            self._mine += payment.usd
            try:
                os.write(self._open(), line)
            except OSError as error:
                raise _unusable(self._own, "written", error) from error

    def spent(self, max_age_seconds: float = 0.0) -> float:
        """US dollars by all processes, in this run and before. What others wrote is read again when it was read longer
        ago than that."""
        if time.monotonic() - self._read_at >= max_age_seconds:
            with self._lock:
                self._read_others()
        return self._others + self._mine

    def payments(self) -> list[Payment]:
        """All of the build, by time."""
        with self._lock:
            found = [payment for path in self._paths() for payment in _parse(path, _read_from(path, 0))]
        return sorted(found, key=lambda payment: (payment.time, payment.key))

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _open(self) -> int:
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._own, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        return self._file

    def _read_others(self) -> None:
        self._read_at = time.monotonic()
        for path in self._paths():
            if path != self._own:
                self._others += sum(payment.usd for payment in self._read_on(path))

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("*.jsonl"))

    def _read_on(self, path: Path) -> list[Payment]:
        start = self._read_to.get(path, 0)
        data = _read_from(path, start)
        self._read_to[path] = start + len(data)
        return _parse(path, data)


def _read_from(path: Path, start: int) -> bytes:
    """Whole lines only: the last one may be half written, by a process that runs or by one that was killed."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
    except OSError as error:
        raise _unusable(path, "read", error) from error
    return data[: data.rfind(b"\n") + 1]


def _parse(path: Path, data: bytes) -> list[Payment]:
    payments: list[Payment] = []
    for line in data.splitlines():
        try:
            payments.append(Payment.model_validate_json(line))
        except ValidationError as error:
            raise StorageError(
                f"{path} holds a line that is no payment: {line[:80]!r}.",
                "Delete that line and run the same command again; compare the spending with the provider's bill.",
            ) from error
    return payments


def _unusable(path: Path, action: str, error: OSError) -> StorageError:
    return StorageError(
        f"The spending {path} cannot be {action}: {error.strerror or error}.",
        "Free space or give this user access to the folder, then run the same command again.",
    )
