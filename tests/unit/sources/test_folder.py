import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import SourceError
from core.recipe import SourceRecipe
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.registry import reader

MakeRow = Callable[..., dict[str, Any]]
Folder = Callable[..., Path]


def _read(place: Path, name: str = "mathvista", **choice: Any) -> list[SourceItem | Quarantined]:
    return list(reader(name).read(SourceRecipe.model_validate({"reader": name, "location": str(place), **choice})))


def _outcomes(items: list[SourceItem | Quarantined]) -> list[str]:
    return ["sample" if isinstance(item, SourceItem) else item.reason.value for item in items]


def test_byte_order_marks_line_ends_and_empty_lines_are_tolerated(folder: Folder, row: MakeRow) -> None:
    place = folder([])
    first, second = (json.dumps(row("mathvista", pid=own_id), ensure_ascii=False) for own_id in ("1", "2"))
    content = f"\ufeff{first}\r\n\r\n{second}\r\n"
    (place / "records.jsonl").write_bytes(content.encode())
    assert _outcomes(_read(place)) == ["sample", "sample"]


def test_a_row_with_a_key_twice_is_set_aside(folder: Folder, row: MakeRow) -> None:
    place = folder([])
    line = json.dumps(row("mathvista"))
    (place / "records.jsonl").write_text(line.replace("{", '{"question": "What is this?", ', 1), encoding="utf-8")
    [item] = _read(place)
    assert isinstance(item, Quarantined)
    assert (item.reason, "'question' stands twice" in item.detail) == (QuarantineReason.MALFORMED_ROW, True)


def test_rows_with_the_id_of_an_earlier_one_are_set_aside(folder: Folder, row: MakeRow) -> None:
    texts = ["", "What is this?", "What is that?", "What is here?"]
    items = _read(folder([row("mathvista", pid="9", question=text) for text in texts]))
    assert _outcomes(items) == ["no_text", "sample", "duplicate_id", "duplicate_id"]
    assert {item.source_id for item in items if isinstance(item, Quarantined)} == {"9"}


def test_another_config_may_count_its_rows_anew(folder: Folder, row: MakeRow) -> None:
    rows = [row("olympiadbench", _config=config, id=5) for config in ("OE_TO_maths_en_COMP", "OE_TO_physics_en_COMP")]
    assert "duplicate_id" not in _outcomes(_read(folder(rows), "olympiadbench"))


def test_separators_inside_a_text_do_not_end_a_line(folder: Folder, row: MakeRow) -> None:
    question = "A clock.\u2028What time is it?\u0085"
    [item] = _read(folder([row("mathvista", question=question)]))
    assert isinstance(item, SourceItem)
    assert item.sample.query == "What time is it?"


def test_macos_side_files_are_no_records(folder: Folder, row: MakeRow) -> None:
    place = folder([row("mathvista")])
    (place / "._records.jsonl").write_bytes(b"\x00\x05\x16\x07")
    assert _outcomes(_read(place)) == ["sample"]


def test_rows_whose_pictures_this_copy_lacks_never_become_samples(folder: Folder, row: MakeRow) -> None:
    place = folder([row("olympiadbench")])
    (place / "records_image_missing.jsonl").write_text(json.dumps(row("olympiadbench", id=8)), encoding="utf-8")
    assert _outcomes(_read(place, "olympiadbench")) == ["sample", "picture_missing"]


@pytest.mark.parametrize("name", ["olympiadbench", "mmmu_pro", "emma", "mathvista"])
def test_every_real_row_without_its_picture_is_quarantined_as_such(
    name: str, shared: Path, real_items: Callable[[str], list[SourceItem | Quarantined]]
) -> None:
    lines = (shared / "sources" / name / "records_image_missing.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = _outcomes(real_items(name))
    assert outcomes.count("picture_missing") == len(lines)


@pytest.mark.parametrize(
    "line",
    [b"{", b"[1, 2]", b'"text"', b"null", b"\xff\xfe", b"[" * 100_000, b'{"pid": "5"}', b'{"pid": 5, "question": 7}'],
    ids=["cut", "list", "text", "null", "no utf-8", "deep", "columns missing", "wrong type"],
)
def test_a_line_of_another_shape_costs_its_row_only(folder: Folder, row: MakeRow, line: bytes) -> None:
    place = folder([row("mathvista")])
    with (place / "records.jsonl").open("ab") as file:
        file.write(line + b"\n" + json.dumps(row("mathvista", pid="6")).encode())
    assert _outcomes(_read(place)) == ["sample", "malformed_row", "sample"]


def test_a_line_that_cannot_be_read_is_named_by_its_place(folder: Folder, row: MakeRow) -> None:
    place = folder([row("mathvista")])
    with (place / "records.jsonl").open("ab") as file:
        file.write(b"{\n")
    item = _read(place)[1]
    assert isinstance(item, Quarantined)
    assert item.source_id == "default:records.jsonl:2"
    assert "no JSON" in item.detail


@pytest.mark.parametrize("path", ["../secret.png", "/etc/hostname", "images/../../secret.png", "link.png"])
def test_a_picture_path_that_leads_out_of_the_folder_is_refused(
    folder: Folder, row: MakeRow, png: bytes, path: str, tmp_path: Path
) -> None:
    place = folder([row("mathvista", decoded_image=path)])
    inner = tmp_path / "inner"
    inner.mkdir()
    (place / "records.jsonl").rename(inner / "records.jsonl")
    (tmp_path / "secret.png").write_bytes(png)
    (inner / "link.png").symlink_to(tmp_path / "secret.png")
    [item] = _read(inner)
    assert isinstance(item, Quarantined)
    assert (item.reason, item.detail) == (QuarantineReason.MALFORMED_ROW, f"{path} leads out of the folder")


@pytest.mark.parametrize("path", ["images/none.png", "images", "images/\0.png", "x" * 5000])
def test_a_picture_that_is_not_there_is_missing(folder: Folder, row: MakeRow, path: str) -> None:
    assert _outcomes(_read(folder([row("mathvista", decoded_image=path)]))) == ["picture_missing"]


def test_take_counts_each_config(folder: Folder, row: MakeRow) -> None:
    rows = [row("emma", pid=f"{n}_{config}", _config=config) for n in range(3) for config in ("Math", "Physics")]
    items = _read(folder(rows), "emma", take=1)
    assert [item.sample.source_id for item in items if isinstance(item, SourceItem)] == ["0_Math", "0_Physics"]


def test_configs_and_split_choose_rows(folder: Folder, row: MakeRow) -> None:
    rows = [row("emma", pid="1"), row("emma", pid="2", _config="Physics"), row("emma", pid="3", _split="train")]
    items = _read(folder(rows), "emma", configs=["Math"], split="test")
    assert [item.sample.source_id for item in items if isinstance(item, SourceItem)] == ["1"]


def test_a_single_file_is_read_like_its_folder(folder: Folder, row: MakeRow) -> None:
    place = folder([row("mathvista")])
    assert _read(place / "records.jsonl") == _read(place)


def test_reading_twice_and_from_another_place_gives_the_same_ids(folder: Folder, row: MakeRow, tmp_path: Path) -> None:
    place = folder([row("mathvista"), row("mathvista", pid="6")])
    first = _read(place)
    assert first == _read(place)
    moved = tmp_path / "elsewhere"
    place.joinpath("images").rename(tmp_path / "kept")
    moved.mkdir()
    (tmp_path / "kept").rename(moved / "images")
    (place / "records.jsonl").rename(moved / "records.jsonl")
    assert _read(moved) == first


def test_records_of_another_data_set_are_an_error_that_names_the_columns(folder: Folder, row: MakeRow) -> None:
    with pytest.raises(SourceError, match=r"have no column decoded_image, id; "):
        _read(folder([row("emma")]), "math_vision")
