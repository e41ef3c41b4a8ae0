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


def test_no_statement_is_an_empty_answer(filled: Lineage) -> None:
    assert filled.query("") == ((), [])


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
