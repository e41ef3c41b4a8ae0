"""The user's own SQL on the lineage file: it can read every table, and neither change anything nor reach another
file."""

from typing import NamedTuple

import duckdb
from duckdb import DuckDBPyConnection

from core.errors import StorageError
from core.whole_texts import is_text

_MOST_SAID = 300


class QueryResult(NamedTuple):
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]


def run_query(connection: DuckDBPyConnection, sql: str, limit: int | None) -> QueryResult:
    """On a read-only connection, which is closed to other files for good. At most `limit` rows of its one statement.

    Raises StorageError with what DuckDB says of the fault, without the query that the user has before him."""
    _require_text(sql)
    connection.execute("SET enable_external_access = false; SET lock_configuration = true")
    try:
        _require_one(len(duckdb.extract_statements(sql)))
        connection.execute(sql)
        columns = tuple(column[0] for column in connection.description or ())
        rows = connection.fetchall() if limit is None else connection.fetchmany(limit)
    except duckdb.Error as error:
        raise StorageError(
            f"The query cannot be run: {_first_lines(str(error))}.",
            'Correct the SQL; `flawbench sql "SHOW TABLES"` lists the tables, `DESCRIBE candidates` the columns.',
        ) from error
    return QueryResult(columns, rows)


def _require_text(sql: str) -> None:
    if not is_text(sql):
        raise StorageError("The query is no UTF-8 text.", "Write it as UTF-8.")


def _require_one(statements: int) -> None:
    """Of several DuckDB would run all and give the answer of the last one alone."""
    if statements != 1:
        raise StorageError(
            f"The query holds {statements or 'no'} statement{'s' if statements else ''}.",
            'Give one, such as `flawbench sql "SELECT id, subtype FROM candidates LIMIT 20"`.',
        )


def _first_lines(text: str) -> str:
    said = " ".join(text.split("\n\n")[0].split()).rstrip(".")
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]} ..."
