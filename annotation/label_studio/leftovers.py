"""One server of a folder at a time: one whose command was killed is ended before the next starts, and one that goes on
is left alone. The lock on the file with its number ends with the command, however that ends."""

import fcntl
import os
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from annotation.label_studio.keys import Keys
from core.errors import AnnotationError

PID_FILE = "server.pid"

_END_SECONDS = 20.0
_LISTENS = "0A"  # the state in the kernel's table of sockets
_COMMAND_LETTERS = 80


def end_leftover(folder: Path, keys: Keys) -> None:
    """Ends the server of this folder whose command was killed; one that does not answer to the token is not touched.
    Raises AnnotationError when the command goes on."""
    file = folder / PID_FILE
    if not file.exists():
        return
    with file.open("r+", encoding="utf-8") as held:
        _lock(held, folder)
        number = held.read().strip()
        for ending in (signal.SIGTERM, signal.SIGKILL):
            if number and _is_ours(keys):
                os.killpg(int(number), ending)
                _wait_for_silence(keys)


@contextmanager
def owning(folder: Path) -> Generator[Callable[[int], None], None, None]:
    """Gives a function that notes the number of the server's group of processes. Raises AnnotationError when another
    command has the folder."""
    with (folder / PID_FILE).open("a+", encoding="utf-8") as held:
        _lock(held, folder)

        def note(number: int) -> None:
            held.truncate(0)
            held.write(str(number))
            held.flush()

        yield note
        held.truncate(0)


def name_listener(port: int) -> str:
    """Who has the port, as far as this user may see."""
    sockets = {f"socket:[{inode}]" for inode in _listening(port)}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(str(one.readlink()) in sockets for one in (process / "fd").iterdir()):
                words = (process / "cmdline").read_text(errors="replace").split("\0")
                command = " ".join(Path(word).name for word in words).strip()
                return f"process {process.name} ({command[:_COMMAND_LETTERS]})"
        except OSError:  # of another user, or gone meanwhile
            continue
    return "a process of another user"


def _lock(held: IO[str], folder: Path) -> None:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.seek(0)
        raise AnnotationError(
            f"The Label Studio of {folder} runs already, as process {held.read() or '?'}.",
            "Use that one, or stop the `flawbench review up` that started it.",
        ) from None


def _is_ours(keys: Keys) -> bool:
    if keys.url is None or keys.administrator is None or keys.administrator.token is None:
        return False
    headers = {"Authorization": f"Token {keys.administrator.token.get_secret_value()}"}
    try:
        answer = httpx.get(f"{keys.url}/api/current-user/whoami", headers=headers, timeout=10.0, trust_env=False)
        return answer.is_success and answer.json()["email"] == keys.administrator.login
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return False


def _wait_for_silence(keys: Keys) -> None:
    end = time.monotonic() + _END_SECONDS
    while time.monotonic() < end and _is_ours(keys):
        time.sleep(0.2)


def _listening(port: int) -> list[str]:
    found: list[str] = []
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        rows = [line.split() for line in table.read_text().splitlines()[1:]] if table.exists() else []
        found += [row[9] for row in rows if row[3] == _LISTENS and int(row[1].rpartition(":")[2], 16) == port]
    return found
