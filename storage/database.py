"""The lineage file is attached for one transaction and detached again. DuckDB lets a single process have the file while
it writes, so holding it would shut out every reader; attached this way readers and one writer take turns."""

import fcntl
import os
import re
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
from duckdb import DuckDBPyConnection

from core.errors import StorageError
from storage.schema import MIGRATIONS_FOLDER, apply_migrations, find_pending, load_migrations

QUERIES_FOLDER = Path(__file__).resolve().parent / "queries"
_Config = dict[str, str | bool | int | float | list[str]]
_CONFIG: _Config = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}
_LOCKED = re.compile(r"Could not set lock on file.*?(?:\(PID (\d+)\)|$)", re.DOTALL)
_FULL = ("No space left on device", "File too large", "Disk quota exceeded")
_DAMAGED = ("not a valid DuckDB database", "Corrupt database", "Could not read enough bytes", "WAL file", "deserialize")
_NO_TEXT = "cannot encode str as UTF-8"
_NEWER = re.compile(r"Trying to read a database file with version number.*", re.DOTALL)
_FIRST_PAUSE_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 0.1

# Threads share the instance of DuckDB, in which the file is attached once: they take turns too.
_turn = threading.Lock()


class Database:
    """`lock_timeout_seconds`: how long to wait while another process or thread has the file."""

    def __init__(self, file: Path, lock_timeout_seconds: float, migrations: Path = MIGRATIONS_FOLDER) -> None:
        self.file = file
        self._timeout = lock_timeout_seconds
        self._migrations = load_migrations(migrations)

    @contextmanager
    def writing(self) -> Generator[DuckDBPyConnection, None, None]:
        """One transaction, committed at the end, forgotten when the block raises. Creates the file and brings its
        tables up to date. Raises StorageError."""
        with self._attached(read_only=False) as connection:
            apply_migrations(connection, find_pending(connection, self.file, self._migrations))
            connection.begin()
            yield connection
            connection.commit()

    @contextmanager
    def reading(self) -> Generator[DuckDBPyConnection, None, None]:
        """Read-only. Raises StorageError, also where there is no file: none is made."""
        if not self.file.exists():
            raise StorageError(
                f"There is no lineage file {self.file}.", "Run `flawbench build`, or set FLAWBENCH_DATA to its folder."
            )
        with self._attached(read_only=True) as connection:
            if not find_pending(connection, self.file, self._migrations):
                yield connection
                return
        with self.writing():
            pass
        with self._attached(read_only=True) as connection:
            yield connection

    @contextmanager
    def reading_alone(self) -> Generator[DuckDBPyConnection, None, None]:
        """As `reading`, in an instance of its own, with which all ends that the user's SQL sets or makes in it."""
        with self.reading():
            pass
        with (
            self._my_turn() as deadline,
            _explained(self.file),
            closing(self._wait(deadline, lambda: _connect(str(self.file), read_only=True))) as connection,
        ):
            yield connection

    @contextmanager
    def _attached(self, *, read_only: bool) -> Generator[DuckDBPyConnection, None, None]:
        """What raises, an interrupt too, gives the instance up, so the file never stays attached."""
        with self._my_turn() as deadline, _explained(self.file):
            if not (read_only or self.file.exists()):
                self._create()
            instance = _start(self.file)
            with ExitStack() as unfinished:
                unfinished.callback(_give_up, instance)
                with closing(
                    self._wait(deadline, lambda: _attach(instance, self.file, read_only=read_only))
                ) as connection:
                    yield connection
                instance.execute("DETACH lineage")
                unfinished.pop_all()

    def _create(self) -> None:
        """The file appears with all its tables or not at all: a kill in between would leave one that cannot be
        opened."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.file.with_name(f"{self.file.name}.new")
        folder = os.open(self.file.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            if self.file.exists():
                return
            for left in (unfinished, unfinished.with_name(f"{unfinished.name}.wal")):
                left.unlink(missing_ok=True)
            with closing(_connect(str(unfinished))) as connection:
                apply_migrations(connection, self._migrations)
            unfinished.rename(self.file)
        finally:
            os.close(folder)

    @contextmanager
    def _my_turn(self) -> Generator[float, None, None]:
        """The time (monotonic) until which one may wait for the file."""
        deadline = time.monotonic() + self._timeout
        if not _turn.acquire(timeout=self._timeout):
            raise _held(self.file, f"another thread of this process (PID {os.getpid()})", self._timeout)
        try:
            yield deadline
        finally:
            _turn.release()

    def _wait(self, deadline: float, connect: Callable[[], DuckDBPyConnection]) -> DuckDBPyConnection:
        """Until no other process has the file."""
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                return connect()
            except duckdb.IOException as error:
                found = _LOCKED.search(str(error))
                if found is None:
                    raise
                left = deadline - time.monotonic()
                if left <= 0:
                    holder = f"another process (PID {found[1]})" if found[1] else "another process"
                    raise _held(self.file, holder, self._timeout) from error
            time.sleep(min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def load_query(name: str) -> str:
    return (QUERIES_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def named_rows(executed: DuckDBPyConnection) -> list[dict[str, Any]]:
    """All rows of what was executed, each by the names of its columns."""
    names = [column[0] for column in executed.description or ()]
    return [dict(zip(names, row, strict=True)) for row in executed.fetchall()]


def _give_up(instance: DuckDBPyConnection) -> None:
    _start.cache_clear()
    instance.close()


def _connect(place: str, config: _Config = _CONFIG, *, read_only: bool = False) -> DuckDBPyConnection:
    connection = duckdb.connect(place, read_only=read_only, config=config)
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    return connection


@lru_cache(maxsize=1)
def _start(file: Path) -> DuckDBPyConnection:
    """An instance to attach the file to, again and again: to start one takes ten times as long as that."""
    return _connect(":memory:", _CONFIG | {"temp_directory": f"{file}.tmp"})


def _attach(instance: DuckDBPyConnection, file: Path, *, read_only: bool) -> DuckDBPyConnection:
    instance.execute(f"ATTACH ? AS lineage{' (READ_ONLY)' if read_only else ''}", [str(file)])
    connection = instance.cursor()
    connection.execute("USE lineage")
    return connection


@contextmanager
def _explained(file: Path) -> Generator[None, None, None]:
    """What the user can mend becomes a StorageError; a fault in our own SQL keeps its traceback."""
    try:
        yield
    except duckdb.Error as error:
        told = _translate(file, str(error))
        if told is None:
            raise
        raise told from error
    except OSError as error:
        raise StorageError(
            f"{file} cannot be written: {error.strerror}.",
            "Give this user write access to the folder, or set FLAWBENCH_DATA to another one.",
        ) from error


def _translate(file: Path, text: str) -> StorageError | None:
    first_line = text.splitlines()[0]
    if full := [mark for mark in _FULL if mark in text]:
        return StorageError(
            f"{file} cannot be written, its disk is full: {full[0]}.",
            "Free space or set FLAWBENCH_DATA to another disk, then run the same command again: what is stored stays.",
        )
    if _NO_TEXT in text:
        return StorageError(
            f"{file} holds UTF-8 texts, and half a surrogate pair is none.", "Write what is looked for as UTF-8."
        )
    if _NEWER.search(text):
        return StorageError(f"{file} was written by a newer DuckDB: {first_line}.", "Run `uv sync` to update.")
    if any(mark in text for mark in _DAMAGED):
        return StorageError(
            f"{file} is damaged or no DuckDB database: {first_line}.",
            "Restore it from a copy, or move it away and run `flawbench build` again: the parts fill a new one.",
        )
    if text.startswith("IO Error"):
        return StorageError(
            f"{file} cannot be used: {first_line}.",
            "Give this user access to it, or set FLAWBENCH_DATA to another folder.",
        )
    return None


def _held(file: Path, holder: str, seconds: float) -> StorageError:
    return StorageError(
        f"The lineage file {file} is held by {holder}; waited {seconds:g} s.",
        "Close it or raise FLAWBENCH_LOCK_TIMEOUT_SECONDS.",
    )
