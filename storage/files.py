"""Bytes under names, on a local folder or any fsspec URL, written so that a name is either absent or complete: the
object store and the parts rest on this one promise. Locally a file is written beside, synced and renamed; on an object
store a single put is atomic by itself."""

import errno
import itertools
import os
import socket
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

import fsspec
from fsspec.implementations.local import LocalFileSystem

from core.errors import StorageError
from core.processes import is_running

TEMPORARY_FOLDER = "temporary"
_STALE_SECONDS = 3600.0
_HOST = socket.gethostname()
_WRITER = f"{uuid.uuid4().hex}-"
_NUMBERS = itertools.count()
_S3_ACCESS = (
    "Give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of an account that may list, read and write the bucket, and"
    " AWS_DEFAULT_REGION or AWS_ENDPOINT_URL where it needs them,"
)
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)


class Files:
    """`url` is a local folder or an fsspec URL (`memory://…`, `s3://…`). Names are relative, with forward slashes.

    Raises StorageError for an URL that cannot be used."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            system, root = fsspec.url_to_fs(url, use_listings_cache=False)
        except (ImportError, ValueError, OSError, NotImplementedError) as error:
            install = "`uv sync --extra s3`" if url.startswith("s3://") else "`uv pip install`"
            raise StorageError(
                f"The object store {url} cannot be used: {error or type(error).__name__}.",
                f"Set FLAWBENCH_OBJECTS to a folder, or install what the URL needs with {install}.",
            ) from error
        self._system = system
        self._failures = (OSError, *_own_failures(url))
        self._root = PurePosixPath(root)
        self._local = Path(root) if isinstance(system, LocalFileSystem) else None

    def write(self, name: str, data: bytes) -> None:
        """The name appears only when all bytes are on disk. Raises StorageError; then nothing is left behind."""
        with self._explained(name, "written"):
            if self._local is None:
                self._system.pipe_file(self._path(name), data)
            else:
                _write_atomically(self._local, self._local / name, data, Path.replace)

    def create(self, name: str, data: bytes) -> bool:
        """As `write`, but what has that name already stays: then False. Of writers at the same moment one gets True, on
        a local folder and on stores that can put on this condition, such as S3; on others the last may win.

        Raises StorageError."""
        with self._explained(name, "written"):
            try:
                if self._local is None:
                    self._system.pipe_file(self._path(name), data, mode="create")
                else:
                    _write_atomically(self._local, self._local / name, data, _link)
            except OSError:
                if not self._system.exists(self._path(name)):
                    raise
                return False
        return True

    def read(self, name: str) -> bytes | None:
        """None where there is no such name. Raises StorageError."""
        with self._explained(name, "read"):
            try:
                data: bytes = self._system.cat_file(self._path(name))
            except FileNotFoundError:
                return None
        return data

    def size(self, name: str) -> int | None:
        """In bytes; None where there is no such name. Raises StorageError."""
        with self._explained(name, "looked up"):
            try:
                return int(self._system.info(self._path(name))["size"])
            except FileNotFoundError:
                return None

    def names(self, folder: str) -> set[str]:
        """The file names in a folder, by one listing; empty where there is no such folder. Raises StorageError."""
        with self._explained(folder, "listed"):
            try:
                found: list[str] = self._system.ls(self._path(folder), detail=False)
            except FileNotFoundError:
                return set()
        return {PurePosixPath(path).name for path in found}

    def remove(self, name: str) -> None:
        """Where it is there. Raises StorageError."""
        with self._explained(name, "deleted"), suppress(FileNotFoundError):
            self._system.rm_file(self._path(name))

    def sweep(self) -> int:
        """Deletes what killed writers left: files of dead processes of this host, and those of other hosts that are
        older than one hour. Returns how many. Raises StorageError."""
        if self._local is None:
            return 0
        with self._explained(TEMPORARY_FOLDER, "swept"):
            left = [path for path in (self._local / TEMPORARY_FOLDER).glob("*.tmp") if _is_abandoned(path)]
            for path in left:
                path.unlink(missing_ok=True)
        return len(left)

    def _path(self, name: str) -> str:
        return str(self._root / name)

    @contextmanager
    def _explained(self, name: str, action: str) -> Generator[None, None, None]:
        try:
            yield
        except self._failures as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            access = _S3_ACCESS if self.url.startswith("s3://") else "Free space, give this user access to the folder"
            raise StorageError(
                f"{self._path(name)} cannot be {action}: {reason.rstrip('.')}.",
                f"{access} or set FLAWBENCH_OBJECTS to another one, "
                "then run the same command again: what is stored stays.",
            ) from error


def _own_failures(url: str) -> tuple[type[Exception], ...]:
    """s3fs makes an OSError only of what a server answers: a server that does not answer, absent keys and an address
    that is none come as botocore raises them, the last as a plain ValueError. Other stores: unknown."""
    if not url.startswith("s3://"):
        return ()
    from botocore.exceptions import BotoCoreError

    return (BotoCoreError, ValueError)


def _write_atomically(root: Path, final: Path, data: bytes, name: Callable[[Path, Path], object]) -> None:
    """`name` gives the whole file its name. With as few calls of the system as there can be: between two of them
    another thread may take over, which costs more than the call."""
    temporary = root / TEMPORARY_FOLDER / f"{_HOST}.{os.getpid()}.{_WRITER}{next(_NUMBERS)}.tmp"
    with ExitStack() as undo:
        undo.callback(temporary.unlink, missing_ok=True)
        descriptor = _open_new(temporary)
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        try:
            name(temporary, final)
        except FileNotFoundError:
            final.parent.mkdir(parents=True, exist_ok=True)
            name(temporary, final)
        undo.pop_all()


def _link(temporary: Path, final: Path) -> None:
    """Raises FileExistsError where there is one of that name."""
    try:
        final.hardlink_to(temporary)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if final.exists():  # not in one step, on file systems without links, such as FAT
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        temporary.replace(final)
    else:
        temporary.unlink()


def _open_new(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o666)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o666)


def _write_all(descriptor: int, data: bytes) -> None:
    """One call may write a part."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _is_abandoned(path: Path) -> bool:
    host, process, _, _ = path.name.rsplit(".", 3)
    if host == _HOST and process.isdigit():
        return not is_running(int(process))
    try:
        return time.time() - path.stat().st_mtime > _STALE_SECONDS
    except FileNotFoundError:
        return False
