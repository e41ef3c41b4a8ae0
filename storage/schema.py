"""The tables of the lineage file change by numbered SQL files only, each applied once, in a transaction with the record
that it ran. A file that the code does not know how to read is refused before anything in it is touched."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
from duckdb import DuckDBPyConnection

from core.errors import StorageError
from core.identity import bytes_hash

MIGRATIONS_FOLDER = Path(__file__).resolve().parent / "migrations"


class Migration(NamedTuple):
    number: int
    name: str
    sql: str

    @property
    def hash(self) -> str:
        return bytes_hash(self.sql.encode())


def load_migrations(folder: Path) -> list[Migration]:
    """In order of their numbers. Raises StorageError when these are not 1, 2, 3 …"""
    found = [
        Migration(int(path.name.split("_")[0]), path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("[0-9]*_*.sql"))
    ]
    numbers = [migration.number for migration in found]
    if numbers != list(range(1, len(found) + 1)):
        raise StorageError(
            f"The migrations in {folder} are numbered {numbers}.",
            "Number them 1, 2, 3 … without a gap and without a repeat.",
        )
    return found


def find_pending(connection: DuckDBPyConnection, file: Path, known: Sequence[Migration]) -> Sequence[Migration]:
    """What is still to be applied. Raises StorageError when the file is newer than the code, when an applied migration
    was edited, or when the file holds other tables than ours."""
    try:
        applied = connection.execute("SELECT number, name, hash FROM migrations ORDER BY number").fetchall()
    except duckdb.CatalogException:
        _check_empty(connection, file)
        return known
    if len(applied) > len(known):
        raise StorageError(
            f"{file} has schema {len(applied)}, written by a newer flawbench; this one knows schema {len(known)}.",
            "Update the checkout (`git pull && uv sync`), or set FLAWBENCH_DATA to another folder.",
        )
    for (number, name, found), migration in zip(applied, known, strict=False):
        if found != migration.hash:
            raise StorageError(
                f"Migration {number} of {file} was applied as {name} with hash {found[:12]}, but {migration.name}.sql "
                f"has {migration.hash[:12]}.",
                "Restore the file with `git checkout storage/migrations` and put the change into a new migration.",
            )
    return known[len(applied) :]


def apply_migrations(connection: DuckDBPyConnection, migrations: Sequence[Migration]) -> None:
    for migration in migrations:
        connection.begin()
        connection.execute(migration.sql)
        connection.execute(
            "INSERT INTO migrations VALUES (?, ?, ?, current_timestamp)",
            [migration.number, migration.name, migration.hash],
        )
        connection.commit()


def _check_empty(connection: DuckDBPyConnection, file: Path) -> None:
    tables = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()]
    if tables:
        raise StorageError(
            f"{file} is no lineage file: it holds the tables {', '.join(tables[:5])}.",
            "Set FLAWBENCH_DATA to another folder.",
        )
