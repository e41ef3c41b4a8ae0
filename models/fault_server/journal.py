"""Exact counts: one entry for each request that arrived, whatever became of it. Times are those of the monotonic clock,
which all processes of a machine share, so that a test can compare them with the moment of a kill."""

import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import TextIO

from core.records import Record
from models.fault_server.formats import format_of


class LogEntry(Record):
    """`arrived` and `finished` in seconds of the monotonic clock; `finished` is when the last byte of the body
    was handed to the network, None when it never was. `key` names the row, `turns` counts earlier replies in the talk;
    both are None where no model is asked. `batch`: the row came in this batch. `fault` is what was done to it."""

    number: int
    arrived: float
    path: str
    model: str | None = None
    key: str | None = None
    turns: int | None = None
    status: int | None = None
    fault: str | None = None
    batch: str | None = None
    finished: float | None = None


class Counts(Record):
    """`asked`: requests for a reply, in batches or not, whatever became of them, and `statuses` and `faults` are
    theirs; `replies`: those answered 200 to the last byte; `rows`: distinct keys among the replies; `repeated`: replies
    beyond the first of each key and number of turns. `other`: requests for no reply (files, batches, lists of models).
    `peak_open`: most requests open at a time."""

    asked: int
    replies: int
    rows: int
    repeated: int
    other: int
    statuses: dict[str, int]
    faults: dict[str, int]
    peak_open: int
    cpu_seconds: float


@dataclass(slots=True)
class Entry:
    number: int
    arrived: float
    path: str
    model: str | None = None
    key: str | None = None
    turns: int | None = None
    status: int | None = None
    fault: str | None = None
    batch: str | None = None
    finished: float | None = None


class Journal:
    """With a path, every change of an entry is a line of that file at once; the last line of a number holds."""

    def __init__(self, path: Path | None) -> None:
        self._file: TextIO | None = path.open("a", encoding="utf-8") if path else None
        self._numbers = count()
        self._open = 0
        self.clear()

    def clear(self) -> None:
        """Numbers go on, so that they name one request each in the file too, which stays as it is."""
        self.entries: list[Entry] = []
        self._peak_open = self._open
        self._cpu_start = time.process_time()

    def arrive(self, path: str, batch: str | None = None) -> Entry:
        entry = Entry(next(self._numbers), time.monotonic(), path, batch=batch)
        self.entries.append(entry)
        self._open += 1
        self._peak_open = max(self._peak_open, self._open)
        return entry

    def leave(self, entry: Entry) -> None:
        self._open -= 1
        self.note(entry)

    def note(self, entry: Entry) -> None:
        """Puts an entry as it is now into the file."""
        if self._file:
            self._file.write(json.dumps(asdict(entry)) + "\n")
            self._file.flush()

    def counts(self) -> Counts:
        asked = [entry for entry in self.entries if format_of(entry.path)]
        replies = [entry for entry in asked if entry.status == 200 and entry.finished is not None]
        return Counts(
            asked=len(asked),
            replies=len(replies),
            rows=len({entry.key for entry in replies}),
            repeated=len(replies) - len({(entry.key, entry.turns) for entry in replies}),
            other=len(self.entries) - len(asked),
            statuses=Counter(str(entry.status) for entry in asked if entry.status),
            faults=Counter(entry.fault for entry in asked if entry.fault),
            peak_open=self._peak_open,
            cpu_seconds=time.process_time() - self._cpu_start,
        )


def read_log(path: Path) -> tuple[LogEntry, ...]:
    """The entries of a log file in the order of their arrival; a last line cut by a kill is left out."""
    entries: dict[int, LogEntry] = {}
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            entry = LogEntry.model_validate_json(line)
            entries[entry.number] = entry
    return tuple(entries[number] for number in sorted(entries))
