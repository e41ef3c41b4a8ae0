from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from core.errors import StorageError
from core.records import Stage
from storage.parts import PartInfo, PartStore, Row, make_part, part_name

MakeInfo = Callable[[Stage, str], PartInfo]
ROWS = [Row("samples", "smp_1", '{"a":1}'), Row("edges", "smp_1", '{"b":"é"}'), Row("samples", "smp_2", '{"a":2}')]


@pytest.mark.parametrize("url", ["memory://parts-test", "{folder}"], ids=["memory", "local"])
@pytest.mark.parametrize("rows", [ROWS, []], ids=["rows", "no rows"])
def test_a_part_comes_back_as_it_was_written(url: str, rows: list[Row], tmp_path: Path, make_info: MakeInfo) -> None:
    store = PartStore(url.format(folder=tmp_path))
    info = make_info(Stage.READ, f"{len(rows)} rows")

    assert not store.exists(Stage.READ, info.key)
    store.write(info, rows)
    part = store.read(Stage.READ, info.key)

    assert store.exists(Stage.READ, info.key)
    assert part.info == info
    assert list(part.rows("samples")) == [row for row in rows if row.table == "samples"]
    assert part.columns.equals(make_part(info, rows).columns)


def test_the_keys_of_a_stage_are_listed(tmp_path: Path, make_info: MakeInfo) -> None:
    store = PartStore(str(tmp_path))
    infos = [make_info(Stage.READ, "a"), make_info(Stage.READ, "b"), make_info(Stage.INJECT, "c")]
    for info in infos:
        store.write(info, ROWS)

    assert store.keys(Stage.READ) == {infos[0].key, infos[1].key}
    assert store.keys(Stage.FILTER) == set()


def test_a_part_is_never_changed(tmp_path: Path, make_info: MakeInfo) -> None:
    store = PartStore(str(tmp_path))
    info = make_info(Stage.READ, "a")
    store.write(info, ROWS)

    store.write(info.model_copy(update={"seconds": 9.0}), ROWS[:1])

    assert store.read(Stage.READ, info.key).info == info


def test_a_part_is_a_parquet_file_in_zstd_that_others_can_read(tmp_path: Path, make_info: MakeInfo) -> None:
    info = make_info(Stage.READ, "a")
    PartStore(str(tmp_path)).write(info, ROWS)

    file = pq.ParquetFile(tmp_path / part_name(Stage.READ, info.key))

    assert file.read().column_names == ["table", "id", "record"]
    assert file.metadata.row_group(0).column(2).compression == "ZSTD"


def test_an_absent_part_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=f"no part parts/read/{'0' * 64}.parquet"):
        PartStore(str(tmp_path)).read(Stage.READ, "0" * 64)


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.99], ids=["empty", "cut early", "cut late"])
def test_a_cut_off_part_is_an_error_that_says_to_delete_it(kept: float, tmp_path: Path, make_info: MakeInfo) -> None:
    store = PartStore(str(tmp_path))
    info = make_info(Stage.READ, "a")
    store.write(info, ROWS)
    file = tmp_path / part_name(Stage.READ, info.key)
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * kept)])

    with pytest.raises(StorageError, match=rf"{info.key}\.parquet .* is damaged.*Delete this file"):
        store.read(Stage.READ, info.key)


def test_a_flipped_bit_in_the_rows_is_noticed(tmp_path: Path, make_info: MakeInfo) -> None:
    store = PartStore(str(tmp_path))
    info = make_info(Stage.READ, "a")
    store.write(info, [Row("samples", f"smp_{number}", f'{{"a":{number}}}') for number in range(2000)])
    file = tmp_path / part_name(Stage.READ, info.key)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)

    with pytest.raises(StorageError, match="is damaged"):
        store.read(Stage.READ, info.key)


def test_a_parquet_file_of_something_else_is_an_error(tmp_path: Path, make_info: MakeInfo) -> None:
    info = make_info(Stage.READ, "a")
    file = tmp_path / part_name(Stage.READ, info.key)
    file.parent.mkdir(parents=True)
    pq.write_table(make_part(info, ROWS).columns, file)

    with pytest.raises(StorageError, match="is damaged"):
        PartStore(str(tmp_path)).read(Stage.READ, info.key)


@pytest.mark.parametrize(
    "change",
    [
        {"key": "short"},
        {"started": datetime(2026, 1, 1)},  # noqa: DTZ001 (that it has no zone is the point)
        {"seconds": float("nan")},
        {"parameters": '{"b": 1, "a": 2}'},
        {"parameters": "no JSON"},
    ],
    ids=["key", "time without zone", "seconds", "parameters not canonical", "parameters no JSON"],
)
def test_facts_that_would_not_be_stable_are_refused(change: dict[str, object], make_info: MakeInfo) -> None:
    with pytest.raises(ValidationError):
        PartInfo.model_validate(make_info(Stage.READ, "a").model_dump() | change)
