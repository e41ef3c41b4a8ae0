from pathlib import Path

import duckdb
import pytest

from core.errors import StorageError
from storage.schema import MIGRATIONS_FOLDER, apply_migrations, find_pending, load_migrations

FILE = Path("lineage.duckdb")
TABLES = {
    "annotations",
    "review_assignments",
    "review_controls",
    "review_plans",
    "review_projects",
    "review_tasks",
    "build_items",
    "calls",
    "candidates",
    "decisions",
    "edges",
    "flaws",
    "migrations",
    "pictures",
    "premise_answers",
    "premise_questions",
    "premise_splits",
    "premise_votes",
    "recipes",
    "release_items",
    "releases",
    "runs",
    "samples",
    "shards",
    "sources",
    "votes",
}


def write_migrations(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    first = "CREATE TABLE migrations (number INTEGER, name VARCHAR, hash VARCHAR, applied TIMESTAMPTZ);"
    for name in names:
        (folder / name).write_text(first if name.startswith("0001") else f"CREATE TABLE t{name[:4]} (a INTEGER);")
    return folder


def test_the_shipped_migrations_make_all_tables() -> None:
    connection = duckdb.connect()
    apply_migrations(connection, load_migrations(MIGRATIONS_FOLDER))

    assert {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()} == TABLES


@pytest.mark.parametrize(
    "names",
    [("0001_a.sql", "0003_b.sql"), ("0002_a.sql",), ("0001_a.sql", "0001_b.sql")],
    ids=["gap", "no first", "repeat"],
)
def test_migrations_must_be_numbered_without_gap_and_repeat(names: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="are numbered"):
        load_migrations(write_migrations(tmp_path / "m", *names))


def test_only_what_is_new_is_applied(tmp_path: Path) -> None:
    connection = duckdb.connect()
    folder = write_migrations(tmp_path / "m", "0001_a.sql")
    apply_migrations(connection, find_pending(connection, FILE, load_migrations(folder)))
    write_migrations(folder, "0002_b.sql")

    pending = find_pending(connection, FILE, load_migrations(folder))
    apply_migrations(connection, pending)

    assert [migration.name for migration in pending] == ["0002_b"]
    assert connection.execute("SELECT number, name FROM migrations").fetchall() == [(1, "0001_a"), (2, "0002_b")]
    assert not find_pending(connection, FILE, load_migrations(folder))


def test_an_edited_migration_is_refused(tmp_path: Path) -> None:
    connection = duckdb.connect()
    folder = write_migrations(tmp_path / "m", "0001_a.sql")
    apply_migrations(connection, load_migrations(folder))
    (folder / "0001_a.sql").write_text("CREATE TABLE other (a INTEGER);")

    with pytest.raises(StorageError, match=r"Migration 1 of lineage.duckdb was applied as 0001_a.*git checkout"):
        find_pending(connection, FILE, load_migrations(folder))


def test_line_ends_do_not_count_as_an_edit(tmp_path: Path) -> None:
    folder = write_migrations(tmp_path / "m", "0001_a.sql")
    (folder / "0001_a.sql").write_bytes(b"SELECT\n1;\n")
    (found,) = load_migrations(folder)
    (folder / "0001_a.sql").write_bytes(b"SELECT\r\n1;\r\n")

    assert load_migrations(folder) == [found]


def test_a_newer_schema_than_the_code_is_refused(tmp_path: Path) -> None:
    connection = duckdb.connect()
    newer = load_migrations(write_migrations(tmp_path / "m", "0001_a.sql", "0002_b.sql"))
    apply_migrations(connection, newer)

    with pytest.raises(
        StorageError, match=r"has schema 2, written by a newer flawbench; this one knows schema 1.*uv sync"
    ):
        find_pending(connection, FILE, newer[:1])


def test_a_failing_migration_leaves_the_one_before_it(tmp_path: Path) -> None:
    connection = duckdb.connect()
    folder = write_migrations(tmp_path / "m", "0001_a.sql", "0002_b.sql")
    (folder / "0002_b.sql").write_text("CREATE TABLE half (a INTEGER); SELECT no_such_column;")

    with pytest.raises(duckdb.BinderException):
        apply_migrations(connection, load_migrations(folder))
    connection.rollback()

    tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert tables == [("migrations",)]
    assert connection.execute("SELECT number FROM migrations").fetchall() == [(1,)]


def test_the_database_of_another_program_is_refused() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE accounts (a INTEGER)")

    with pytest.raises(StorageError, match=r"is no lineage file: it holds the tables accounts"):
        find_pending(connection, FILE, load_migrations(MIGRATIONS_FOLDER))
