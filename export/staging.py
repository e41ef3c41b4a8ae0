"""A folder that appears whole or not at all: written under a hidden name beside its own, then renamed. Whatever kills
the process leaves the final name absent or complete; the next run clears what was left."""

import fcntl
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from core.errors import ExportError


@contextmanager
def stage_release(folder: Path) -> Generator[Path]:
    """An empty folder that takes the place of `folder` when the block ends without an error and has filled it. One
    already there is swapped out and deleted.

    Raises ExportError when another process writes the same one, or when the disk refuses."""
    partial = folder.with_name(f".{folder.name}.partial")
    try:
        partial.mkdir(parents=True, exist_ok=True)
        lock = _lock_folder(partial, folder)
        try:
            _restore_swapped(folder)
            _clear(partial)
            yield partial
            if any(partial.iterdir()):
                _swap_in(partial, folder)
        finally:
            if _is_same(partial, lock):
                shutil.rmtree(partial)
            os.close(lock)
    except OSError as error:
        raise ExportError(
            f"Release {folder} cannot be written: {error}.",
            "Free space there or set FLAWBENCH_DATA to another folder, and run the export again.",
        ) from error


def _lock_folder(partial: Path, final: Path) -> int:
    """A lock that ends with the process, however it ends."""
    handle = os.open(partial, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise ExportError(
            f"Another process is writing {final}.", "Wait until it has ended, or name another build."
        ) from error
    if not _is_same(partial, handle):  # that process ended between our mkdir and our lock, and took the folder along
        os.close(handle)
        raise ExportError(f"Another process has just written {final}.", "Run the export again.")
    return handle


def _swap_in(partial: Path, final: Path) -> None:
    swapped = _swapped(final)
    if final.exists():
        final.rename(swapped)
    partial.rename(final)
    if swapped.exists():
        shutil.rmtree(swapped)


def _restore_swapped(final: Path) -> None:
    """A process was killed between the two renames (the old folder comes back) or after them (it is deleted)."""
    swapped = _swapped(final)
    if swapped.exists() and not final.exists():
        swapped.rename(final)
    elif swapped.exists():
        shutil.rmtree(swapped)


def _swapped(final: Path) -> Path:
    return final.with_name(f".{final.name}.replaced")


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _is_same(folder: Path, handle: int) -> bool:
    return folder.exists() and folder.stat().st_ino == os.fstat(handle).st_ino
