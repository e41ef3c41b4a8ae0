import fcntl
import os
from pathlib import Path

import pytest

from core.errors import ExportError
from export.staging import stage_release


def test_folder_appears_whole_at_the_end(tmp_path: Path) -> None:
    final = tmp_path / "release"
    with stage_release(final) as partial:
        (partial / "file").write_text("content")
        assert not final.exists()
    assert (final / "file").read_text() == "content"
    assert list(tmp_path.iterdir()) == [final]


def test_error_inside_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with stage_release(tmp_path / "release") as partial:
            (partial / "file").write_text("content")
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_folder_left_empty_changes_nothing(tmp_path: Path) -> None:
    final = tmp_path / "release"
    final.mkdir()
    (final / "file").write_text("old")
    with stage_release(final):
        pass
    assert (final / "file").read_text() == "old"
    assert list(tmp_path.iterdir()) == [final]


def test_old_folder_is_swapped_out(tmp_path: Path) -> None:
    final = tmp_path / "release"
    final.mkdir()
    (final / "old").write_text("old")
    with stage_release(final) as partial:
        (partial / "new").write_text("new")
        assert (final / "old").exists()
    assert [path.name for path in final.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [final]


def test_second_writer_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    final = tmp_path / "release"
    partial = tmp_path / ".release.partial"
    partial.mkdir()
    (partial / "file").write_text("of the first")
    first = os.open(partial, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX)
    with pytest.raises(ExportError, match="Another process is writing"), stage_release(final):
        pass
    assert (partial / "file").read_text() == "of the first"
    os.close(first)
