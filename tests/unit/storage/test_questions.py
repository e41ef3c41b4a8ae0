from pathlib import Path

import pytest

from core.errors import StorageError
from storage.lineage import Lineage


def test_columns_and_rows_come_back(filled: Lineage) -> None:
    found = filled.query("SELECT subtype, count(*) AS items FROM candidates GROUP BY subtype ORDER BY subtype")

    assert found.columns == ("subtype", "items")
    assert found.rows == [("ambiguity", 3), ("mismatch", 1)]


def test_a_limit_bounds_the_rows(filled: Lineage) -> None:
    assert len(filled.query("SELECT * FROM range(1_000_000)", limit=7).rows) == 7


@pytest.mark.parametrize(
    ("sql", "count"),
    [("", "no statement"), (" ; -- all", "no statement"), ("SELECT 1; SELECT 2", "2 statements")],
    ids=["empty", "remark", "two"],
)
def test_anything_but_one_statement_is_refused(sql: str, count: str, filled: Lineage) -> None:
    with pytest.raises(StorageError, match=rf"The query holds {count}\. Give one"):
        filled.query(sql)


def test_one_statement_may_end_as_in_a_file(filled: Lineage) -> None:
    assert filled.query("SELECT 1 AS one; -- all").rows == [(1,)]


def test_a_query_that_is_no_text_is_refused(filled: Lineage) -> None:
    with pytest.raises(StorageError, match=r"no UTF-8 text\. Write it"):
        filled.query("SELECT '\ud800'")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO sources VALUES ('x', 'y', 'z')",
        "DELETE FROM candidates",
        "DROP TABLE candidates",
        "SELECT * FROM read_csv('/etc/hostname')",
        "SELECT * FROM '/etc/hostname'",
        "SELECT * FROM glob('/*')",
        "COPY candidates TO '{folder}/out.csv'",
        "ATTACH '{folder}/other.duckdb'",
        "EXPORT DATABASE '{folder}/out'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
    ],
)
def test_nothing_can_be_changed_and_no_other_file_reached(sql: str, tmp_path: Path, filled: Lineage) -> None:
    with pytest.raises(StorageError, match="The query cannot be run"):
        filled.query(sql.format(folder=tmp_path))

    assert list(tmp_path.iterdir()) == []


def test_python_variables_are_no_tables(filled: Lineage) -> None:
    sources_by_name = filled.query("FROM sources").rows

    with pytest.raises(StorageError, match="sources_by_name does not exist"):
        filled.query("SELECT * FROM sources_by_name")
    assert sources_by_name


def test_a_mistake_is_told_in_the_words_of_the_database(filled: Lineage) -> None:
    with pytest.raises(StorageError, match=r'"subtipe" not found[\s\S]*DESCRIBE candidates'):
        filled.query("SELECT subtipe FROM candidates")
