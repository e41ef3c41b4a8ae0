"""One run of a build at a time on one machine: two would make the same shards and pay for the same replies. The second
waits, says so, and then finds everything done. A turn ends with its process, however that ends."""

import fcntl
import logging
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import StorageError

_PAUSE_SECONDS = 0.5
_logger = logging.getLogger("flawbench.progress")


@contextmanager
def build_turn(data: Path, build: str) -> Generator[None, None, None]:
    """Raises StorageError when the data folder cannot be written."""
    path = data / "turns" / f"{build}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}.",
            "Free space, give this user access to the folder or set FLAWBENCH_DATA to another one.",
        ) from error
    with file:
        _wait(file, build)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _wait(file: IO[str], build: str) -> None:
    told = False
    while not _take(file):
        if not told:
            file.seek(0)
            _logger.warning("Build %s is made by process %s: waiting until that ends.", build, file.read() or "?")
            told = True
        time.sleep(_PAUSE_SECONDS)


def _take(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
