import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from core.errors import StorageError
from storage.database import QUERIES_FOLDER, Database, load_query
from storage.schema import MIGRATIONS_FOLDER


def add_source(database: Database, name: str) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO sources VALUES (?, 'CC0', '')", [name])


def sources_in(database: Database) -> list[str]:
    with database.reading() as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sources ORDER BY name").fetchall()]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    database = Database(tmp_path / "data" / "lineage.duckdb", 1.0)

    add_source(database, "a")
    add_source(database, "b")

    assert sources_in(database) == ["a", "b"]
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["lineage.duckdb"]


def test_a_block_that_raises_changes_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "lineage.duckdb", 1.0)
    add_source(database, "a")

    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        connection.execute("INSERT INTO sources VALUES ('b', 'CC0', '')")
        _ = 1 // 0

    assert sources_in(database) == ["a"]


def test_readers_make_no_file_and_say_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"no lineage file .*Run `flawbench build`"):
        sources_in(Database(tmp_path / "lineage.duckdb", 1.0))

    assert list(tmp_path.iterdir()) == []


def test_readers_cannot_write(tmp_path: Path) -> None:
    database = Database(tmp_path / "lineage.duckdb", 1.0)
    add_source(database, "a")

    with pytest.raises(duckdb.InvalidInputException, match="read-only"), database.reading() as connection:
        connection.execute("DELETE FROM sources")


@pytest.mark.parametrize("content", [b"", b"hello " * 5000], ids=["empty", "text"])
def test_a_file_that_is_no_database_is_an_error_and_stays(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "lineage.duckdb"
    file.write_bytes(content)

    with pytest.raises(StorageError, match=r"is damaged or no DuckDB database.*move it away"):
        add_source(Database(file, 1.0), "a")

    assert file.read_bytes() == content


@pytest.mark.parametrize("damage", ["cut off", "overwritten"])
def test_a_damaged_file_is_an_error(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "lineage.duckdb"
    database = Database(file, 1.0)
    add_source(database, "a")
    data = file.read_bytes()
    file.write_bytes(data[:20_000] if damage == "cut off" else data[:12_288] + bytes(len(data) - 12_288))

    with pytest.raises(StorageError, match="is damaged"):
        sources_in(database)


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"cannot be used: .*Is a directory"):
        add_source(Database(tmp_path, 1.0), "a")


def test_a_data_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")

    with pytest.raises(StorageError, match=r"cannot be written: .*FLAWBENCH_DATA"):
        add_source(Database(tmp_path / "data" / "lineage.duckdb", 1.0), "a")


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Migrations with one that the code does not have."""
    folder = Path(shutil.copytree(MIGRATIONS_FOLDER, tmp_path / "newer"))
    number = len(list(folder.glob("*.sql"))) + 1
    (folder / f"{number:04}_future.sql").write_text("CREATE TABLE future (a INTEGER);")
    return folder


def test_a_file_newer_than_the_code_is_refused_and_not_changed(tmp_path: Path, newer: Path) -> None:
    file = tmp_path / "lineage.duckdb"
    add_source(Database(file, 1.0, newer), "a")
    before = file.read_bytes()

    for attempt in (lambda: add_source(Database(file, 1.0), "b"), lambda: sources_in(Database(file, 1.0))):
        with pytest.raises(StorageError, match="written by a newer flawbench"):
            attempt()

    assert file.read_bytes() == before


def test_a_reader_brings_an_older_file_up_to_date(tmp_path: Path, newer: Path) -> None:
    file = tmp_path / "lineage.duckdb"
    add_source(Database(file, 1.0), "a")

    with Database(file, 1.0, newer).reading() as connection:
        assert connection.execute("SELECT count(*) FROM future").fetchone() == (0,)


def test_threads_of_one_process_take_turns(tmp_path: Path) -> None:
    database = Database(tmp_path / "lineage.duckdb", 20.0)
    add_source(database, "the first")
    threads = [threading.Thread(target=add_source, args=(database, f"source {number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        sources_in(database)
    for thread in threads:
        thread.join()

    assert len(sources_in(database)) == 9


def test_a_thread_that_keeps_the_file_is_named_when_the_time_is_up(tmp_path: Path) -> None:
    database = Database(tmp_path / "lineage.duckdb", 0.05)
    errors: list[str] = []

    def read() -> None:
        try:
            sources_in(database)
        except StorageError as error:
            errors.append(str(error))

    with database.writing():
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()

    assert "is held by another thread of this process" in errors[0]


@pytest.mark.parametrize("path", sorted(QUERIES_FOLDER.glob("*.sql")), ids=lambda path: path.stem)
def test_every_query_begins_with_the_question_it_answers(path: Path) -> None:
    text = load_query(path.stem)
    comment = text.split("\nWITH")[0].split("\nSELECT")[0].split("\nINSERT")[0].split("\nDELETE")[0]

    assert text.startswith("-- ")
    assert "?" in comment
