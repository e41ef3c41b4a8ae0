import json
from pathlib import Path

import duckdb

from cli.json_rows import json_rows


def answer(sql: str) -> list[dict[str, object]]:
    with duckdb.connect() as connection:
        cursor = connection.execute(sql)
        text = json_rows([column[0] for column in cursor.description or ()], cursor.fetchall())
    return json.loads(text, parse_constant=lambda name: f"no JSON: {name}")


def test_a_column_whose_name_stands_twice_is_not_lost() -> None:
    assert answer("SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a") == [{"a": 1, "a_2": 2, "a_2_2": 3, "a_3": 4}]


def test_what_json_has_no_number_for_is_null() -> None:
    assert answer("SELECT 'nan'::DOUBLE AS a, ['inf'::DOUBLE, 1] AS b, {'c': '-inf'::FLOAT} AS d") == [
        {"a": None, "b": [None, 1.0], "d": {"c": None}}
    ]


def test_every_kind_of_value_is_json(tmp_path: Path) -> None:
    (row,) = answer(
        "SELECT map([[1, 2]], ['x']) AS a, 'ab'::BLOB AS b, 1.5::DECIMAL(9, 2) AS c, INTERVAL 3 DAY AS d, "
        "DATE '2026-01-02' AS e, uuid() AS f, 170141183460469231731687303715884105727 AS g, NULL AS h, '例' AS i"
    )
    assert row["h"] is None
    assert row["i"] == "例"
    assert row["g"] == 2**127 - 1
    assert isinstance(row["a"], dict)
