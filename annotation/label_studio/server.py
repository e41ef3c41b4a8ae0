"""A Label Studio for one desk: SQLite, loopback only, nothing sent home, run by `uvx` apart from our environment, in
which it cannot be installed. Several people who judge at once need PostgreSQL: docker-compose.yml."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from annotation.label_studio.keys import Login, changing_keys, make_administrator, read_keys, write_keys
from annotation.label_studio.leftovers import PID_FILE, end_leftover, name_listener, owning
from core.errors import AnnotationError

SERVER_VERSION = "1.23.2"
KEYS_FILE = "keys.json"
SERVER_SETTINGS = {
    "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "true",
    "LABEL_STUDIO_COLLECT_ANALYTICS": "false",
    "LABEL_STUDIO_LATEST_VERSION_CHECK": "false",
    "LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED": "true",
    "LS_CSP_REPORT_ONLY": "false",
    "SENTRY_DSN": "",
    "FRONTEND_SENTRY_DSN": "",
}
"""What every server of ours is started with: nobody joins uninvited, nothing is sent home, no foreign script runs."""
LOG_FILE = "server.log"
ADMINISTRATOR = "administrator@annotators.example"

_DATA_FOLDER = "data"
_DATABASE = "label_studio.sqlite3"
_LOOPBACK = "127.0.0.1"
_COMMAND = ("uvx", "--from", f"label-studio=={SERVER_VERSION}", "label-studio")
_START_SECONDS = 600.0  # the first start makes the database: 35 CPU seconds, after a download of 800 MB
_STOP_SECONDS = 20.0
_LOG_LINES = 15
# The server reads bare names such as USERNAME, PASSWORD, HOST and PORT, so it gets no more of ours than it needs.
# The last name lets it read a bucket at a private address.
_PASSED_ON = re.compile(
    r"PATH|HOME|LANG|LC_.*|TMPDIR|UV_.*|XDG_.*|SSL_CERT_.*|(HTTPS?|ALL|NO)_PROXY|LABEL_STUDIO_SSRF_PROTECTION_ENABLED",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers. `keys_file` holds its administrator and, later on, the annotators."""

    url: str
    folder: Path
    token: str
    process: subprocess.Popen[bytes]

    @property
    def keys_file(self) -> Path:
        return self.folder / KEYS_FILE

    @property
    def log(self) -> Path:
        return self.folder / LOG_FILE


@contextmanager
def serve_desk(folder: Path, document_root: Path, port: int | None = None) -> Generator[Server, None, None]:
    """Starts the server on the data in `folder`, which is made at the first start, and stops it at the end. One that
    was left there by a command that was killed is ended first.

    Pictures are served from folders inside `document_root`. Raises AnnotationError when uvx is missing, the port or the
    folder is taken or the server does not start."""
    end_leftover(folder, read_keys(folder / KEYS_FILE))
    port = port or _free_port()
    _require_port(port)
    url = f"http://{_LOOPBACK}:{port}"
    administrator = _prepare(folder)
    token = _token(administrator)
    with owning(folder) as note:
        _note_url(folder, url)
        process = _start(folder, _environment(folder, document_root, administrator, token), port)
        try:
            note(process.pid)
            _wait_until_ready(process, folder, url)
            yield Server(url, folder, token, process)
        finally:
            _stop(process)


def copy_desk(template: Path, folder: Path) -> None:
    """A desk that was started once holds a migrated database: a copy of it starts in 8 s instead of 40. The copy has
    the same accounts and token. The template must be stopped."""
    shutil.copytree(template, folder, ignore=shutil.ignore_patterns(LOG_FILE, PID_FILE))


def _prepare(folder: Path) -> Login:
    """The administrator. Password, token and the switch of legacy tokens count only when the database is made, so they
    are kept."""
    with changing_keys(folder / KEYS_FILE):
        keys = read_keys(folder / KEYS_FILE)
        if keys.administrator is None and (folder / _DATA_FOLDER / _DATABASE).exists():
            raise AnnotationError(
                f"{folder} holds the database of a Label Studio but not its {KEYS_FILE}.",
                f"Put that file back, or move {folder} away to begin with an empty server.",
            )
        administrator = keys.administrator or make_administrator(ADMINISTRATOR)
        write_keys(folder / KEYS_FILE, keys.model_copy(update={"administrator": administrator}))
    return administrator


def _note_url(folder: Path, url: str) -> None:
    """By whoever owns the folder: a second start, which fails, would else send all commands to its own address."""
    with changing_keys(folder / KEYS_FILE):
        write_keys(folder / KEYS_FILE, read_keys(folder / KEYS_FILE).model_copy(update={"url": url}))


def _token(administrator: Login) -> str:
    if administrator.token is None:
        raise AnnotationError(f"{KEYS_FILE} has no token of the administrator.", "Put back a copy of that file.")
    return administrator.token.get_secret_value()


def _environment(folder: Path, document_root: Path, administrator: Login, token: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if _PASSED_ON.fullmatch(name)} | {
        "LABEL_STUDIO_BASE_DATA_DIR": str((folder / _DATA_FOLDER).resolve()),
        "LABEL_STUDIO_USERNAME": administrator.login,
        "LABEL_STUDIO_PASSWORD": administrator.password.get_secret_value(),
        "LABEL_STUDIO_USER_TOKEN": token,
        "LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT": str(document_root.resolve()),
        **SERVER_SETTINGS,
    }


def _start(folder: Path, environment: dict[str, str], port: int) -> subprocess.Popen[bytes]:
    """In a session of its own: uvx starts the server as a child, and both must end."""
    (folder / _DATA_FOLDER).mkdir(parents=True, exist_ok=True)
    arguments = ("start", "--no-browser", "--internal-host", _LOOPBACK, "--port", str(port))
    try:
        with (folder / LOG_FILE).open("ab") as log:
            return subprocess.Popen(
                (*_command(environment), *arguments),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except FileNotFoundError as error:
        raise AnnotationError(
            "Label Studio is started by uvx, which is not on the PATH.", "Install it with `pip install uv`."
        ) from error


def _command(environment: dict[str, str]) -> tuple[str, ...]:
    """Without the registry where the server is in the cache: uvx would else ask it at every start."""
    offline = ("uvx", "--offline", *_COMMAND[1:])
    probe = (*offline[:-1], "python", "-c", "")
    cached = subprocess.run(probe, env=environment, capture_output=True, check=False).returncode == 0
    return offline if cached else _COMMAND


def _wait_until_ready(process: subprocess.Popen[bytes], folder: Path, url: str) -> None:
    end = time.monotonic() + _START_SECONDS
    while not _answers(f"{url}/health"):
        code = process.poll()
        if code is None and time.monotonic() < end:
            time.sleep(0.2)
            continue
        state = "does not answer" if code is None else f"ended with {code}"
        lines = (folder / LOG_FILE).read_text(errors="replace").splitlines()[-_LOG_LINES:]
        raise AnnotationError(
            f"Label Studio {state} at its start. The end of {folder / LOG_FILE}:\n" + "\n".join(lines) + "\n",
            "Mend what it says and start again.",
        )


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5.0, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """SQLite survives a kill, so one that does not end by itself is killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    process.wait()


def _require_port(port: int) -> None:
    """Label Studio would take another port by itself and say so in its log alone."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOOPBACK, port))
        except OSError as error:
            raise AnnotationError(
                f"Port {port} of {_LOOPBACK} cannot be used ({error.strerror}): {name_listener(port)} has it.",
                "Stop what runs there, or give another port with `--port`.",
            ) from error


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        return int(probe.getsockname()[1])
