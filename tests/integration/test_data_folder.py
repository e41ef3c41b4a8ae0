"""Data folders in which no server can be started: the folder is told, and not a file of the server."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import StorageError
from tasks.server import started_server

pytestmark = pytest.mark.integration


def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path, unused_port: Callable[[], int]) -> None:
    (tmp_path / "file").touch()
    assert tell(tmp_path / "file" / "data", unused_port()) == f"The data folder {tmp_path}/file/data cannot be written."


def test_a_path_that_is_too_long_for_a_database_is_told(tmp_path: Path, unused_port: Callable[[], int]) -> None:
    data = tmp_path / "/".join(["x" * 200] * 3)
    assert "bytes too long for the database of Prefect" in tell(data, unused_port())


def test_a_folder_that_goes_while_its_server_starts_is_told(tmp_path: Path, unused_port: Callable[[], int]) -> None:
    home = tmp_path / "data" / "prefect"
    remover = threading.Thread(target=remove, args=(home, tmp_path / "gone"))
    remover.start()
    told = tell(tmp_path / "data", unused_port())
    remover.join()
    assert told == f"{home} was removed while a server started in it."


def tell(data: Path, port: int) -> str:
    with pytest.raises(StorageError) as refused, started_server(data, port):
        pass
    return refused.value.message


def remove(home: Path, away: Path) -> None:
    while not (home / "server.log").exists():
        time.sleep(0.01)
    home.rename(away)
