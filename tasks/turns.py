"""One run of a build at a time on one machine: two would make the same shards and pay for the same replies. The second
waits, says so, and then finds everything done. Of `flawbench up`, one has a data folder: the second is refused. A turn
ends with its process, however that ends."""

import fcntl
import logging
import os
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO

from core.errors import OrchestrationError, StorageError

_PAUSE_SECONDS = 0.5
_logger = logging.getLogger("flawbench.progress")


def build_turn(data: Path, build: str) -> AbstractContextManager[None]:
    """Raises StorageError when the data folder cannot be written."""
    return _turn(data / "turns" / f"{build}.lock", f"A run of build {build}")


def review_turn(data: Path, build: str) -> AbstractContextManager[None]:
    """Apart from the runs of the build. Raises StorageError when the data folder cannot be written."""
    return _turn(data / "turns" / f"{build}.review.lock", f"The review of build {build}")


@contextmanager
def service_turn(data: Path) -> Generator[None, None, None]:
    """Raises OrchestrationError when another service has the data folder, and StorageError when it cannot be
    written."""
    with _opened(data / "prefect" / "up.lock") as file:
        if not _take(file):
            raise OrchestrationError(
                f"`flawbench up` runs on {data} already, as process {_owner(file)}.",
                "Use that one or stop it first; a second one needs its own FLAWBENCH_DATA and PREFECT_API_URL.",
            )
        _sign(file)
        yield


@contextmanager
def _turn(path: Path, what: str) -> Generator[None, None, None]:
    with _opened(path) as file:
        _wait(file, what)
        _sign(file)
        yield


def _opened(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}.",
            "Free space, give this user access to the folder or set FLAWBENCH_DATA to another one.",
        ) from error


def _wait(file: IO[str], what: str) -> None:
    told = False
    while not _take(file):
        if not told:
            _logger.warning("%s is under way in process %s: waiting until that ends.", what, _owner(file))
            told = True
        time.sleep(_PAUSE_SECONDS)


def _take(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(file: IO[str]) -> None:
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()


def _owner(file: IO[str]) -> str:
    file.seek(0)
    return file.read() or "?"
