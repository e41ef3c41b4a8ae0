import os
import re
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.errors import StorageError
from storage.files import TEMPORARY_FOLDER, Files

HOST = socket.gethostname()
GONE = 2**22 + 1
"""Above the highest number of a process."""


def test_what_is_written_is_read_back_and_listed(tmp_path: Path) -> None:
    files = Files(str(tmp_path / "store"))

    files.write("a/b/c.bin", b"1234")

    assert files.read("a/b/c.bin") == b"1234"
    assert files.size("a/b/c.bin") == 4
    assert files.names("a/b") == {"c.bin"}


@pytest.mark.parametrize("url", ["memory://files-test-create", "{folder}"], ids=["memory", "local"])
def test_what_has_a_name_is_not_replaced_by_what_is_created(url: str, tmp_path: Path) -> None:
    files = Files(url.format(folder=tmp_path / "store"))

    assert files.create("a/b", b"first")
    assert not files.create("a/b", b"second")

    assert files.read("a/b") == b"first"
    assert files.names("temporary") == set()


def test_of_many_that_create_a_name_at_once_one_does(tmp_path: Path) -> None:
    stores = [Files(str(tmp_path)) for _ in range(8)]
    for number in range(20):
        start = threading.Barrier(len(stores))

        def create(index: int, name: str = f"a/{number}", start: threading.Barrier = start) -> bool:
            start.wait()
            return stores[index].create(name, b"%d" % index)

        with ThreadPoolExecutor(len(stores)) as threads:
            created = list(threads.map(create, range(len(stores))))
        assert created.count(True) == 1
        assert stores[0].read(f"a/{number}") == b"%d" % created.index(True)


@pytest.mark.parametrize("url", ["memory://files-test-absent", "{folder}"], ids=["memory", "local"])
def test_absent_names_are_none_and_absent_folders_are_empty(url: str, tmp_path: Path) -> None:
    files = Files(url.format(folder=tmp_path / "store"))

    assert files.read("a/b") is None
    assert files.size("a/b") is None
    assert files.names("a") == set()


def test_the_name_can_also_be_a_file_url(tmp_path: Path) -> None:
    Files(f"file://{tmp_path}/store").write("x", b"1")

    assert (tmp_path / "store" / "x").read_bytes() == b"1"


def test_writing_leaves_no_temporary_file(tmp_path: Path) -> None:
    Files(str(tmp_path)).write("x", b"1")

    assert list((tmp_path / TEMPORARY_FOLDER).iterdir()) == []


def test_other_users_may_read_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"1")

    Files(str(tmp_path)).write("x", b"1")

    assert (tmp_path / "x").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_unknown_protocol_is_an_error_with_what_to_do() -> None:
    with pytest.raises(StorageError, match=r"no-such-protocol://x cannot be used.*FLAWBENCH_OBJECTS"):
        Files("no-such-protocol://x")


def test_a_bucket_without_its_library_is_an_error_that_names_the_extra(root: Path) -> None:
    """In a process of its own: fsspec keeps what it has once loaded."""
    program = "import sys; sys.modules['s3fs'] = None; from storage.files import Files; Files('s3://b/x')"
    ended = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert re.search(r"StorageError: .*s3://b/x cannot be used: Install s3fs.*uv sync --extra s3", ended.stderr, re.S)


def test_a_folder_that_is_a_file_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"")

    for put in (Files.write, Files.create):
        with pytest.raises(StorageError, match=r"cannot be written: Not a directory"):
            put(Files(str(tmp_path / "store")), "x", b"1")


def test_a_target_that_is_a_folder_is_an_error_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()

    with pytest.raises(StorageError, match=r"cannot be written: Is a directory"):
        Files(str(tmp_path)).write("x", b"1")

    assert list((tmp_path / TEMPORARY_FOLDER).iterdir()) == []


def test_sweeping_deletes_only_what_dead_writers_left(tmp_path: Path) -> None:
    folder = tmp_path / TEMPORARY_FOLDER
    folder.mkdir()
    old_here, old_elsewhere = folder / f"{HOST}.{os.getpid()}.0.tmp", folder / "another.host.1.0.tmp"
    new_elsewhere, dead_here = folder / "another.host.1.1.tmp", folder / f"{HOST}.{GONE}.0.tmp"
    for path in (old_here, old_elsewhere, new_elsewhere, dead_here):
        path.write_bytes(b"half")
    for path in (old_here, old_elsewhere):
        os.utime(path, (1, 1))

    assert Files(str(tmp_path)).sweep() == 2

    assert set(folder.iterdir()) == {old_here, new_elsewhere}


@pytest.mark.parametrize("url", ["memory://files-test-sweep", "{folder}"], ids=["memory", "local"])
def test_sweeping_an_empty_store_finds_nothing(url: str, tmp_path: Path) -> None:
    assert Files(url.format(folder=tmp_path / "store")).sweep() == 0


@pytest.mark.parametrize("url", ["memory://files-test-remove", "{folder}"], ids=["memory", "local"])
def test_what_is_removed_is_absent_and_may_be_absent_before(url: str, tmp_path: Path) -> None:
    files = Files(url.format(folder=tmp_path))
    files.write("a/b", b"x")
    files.remove("a/b")
    assert files.read("a/b") is None
    files.remove("a/b")
