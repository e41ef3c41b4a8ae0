import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from core.errors import ConfigurationError, SourceError
from core.recipe import ColumnMapping, SourceRecipe
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.registry import reader

Rows = list[dict[str, Any]]
RECORDS = {
    "olympiadbench": ("records.jsonl",),
    "mmmu_pro": ("records.jsonl", "records_vision_tool.jsonl"),
    "emma": ("records.jsonl",),
    "mathvista": ("records.jsonl",),
    "math_vision": ("records.jsonl",),
}


def _real_rows(folder: Path, files: tuple[str, ...]) -> Rows:
    return [json.loads(line) for file in files for line in (folder / file).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", RECORDS)
def test_parquet_in_the_features_of_the_hub_gives_the_same_samples_as_the_folder(
    name: str,
    shared: Path,
    parquet_copy: Callable[[str, Rows, Path], Path],
    real_items: Callable[[str], list[SourceItem | Quarantined]],
) -> None:
    folder = shared / "sources" / name
    rows = _real_rows(folder, RECORDS[name])
    configs = tuple(dict.fromkeys(row["_config"] for row in rows))
    copy = parquet_copy(name, rows, folder)
    from_hub = list(reader(name).read(SourceRecipe(reader=name, location=str(copy), configs=configs)))
    from_folder = [
        item
        for item in real_items(name)
        if isinstance(item, SourceItem) or item.reason is not QuarantineReason.PICTURE_MISSING
    ]
    by_id = sorted(from_hub, key=_identity)
    assert [_identity(item) for item in by_id] == sorted(_identity(item) for item in from_folder)
    assert [item for item in by_id if isinstance(item, SourceItem)] == sorted(
        (item for item in from_folder if isinstance(item, SourceItem)), key=_identity
    )


def _identity(item: SourceItem | Quarantined) -> str:
    return item.sample.id if isinstance(item, SourceItem) else f"{item.source_id} {item.reason} {item.detail}"


@pytest.mark.parametrize(
    ("name", "columns", "expected", "pictures"),
    [
        pytest.param(
            "mmmu_pro",
            {"_config": "standard (4 options)", "options": "['Ann', 'Ben', 'Cyd', 'Dan']", "answer": "D"},
            {
                "source_id": "standard (4 options):test_Art_1",
                "correct_options": (3,),
                "query": "Who painted <image 1>?",
            },
            1,
            id="mmmu_pro, four options",
        ),
        pytest.param(
            "olympiadbench",
            {
                "_config": "OE_MM_maths_en_COMP",
                "question": "The angle in <image_1> is right. How long is its longest side?",
                "image_1": "images/1.png",
                "modality": "Multimodal",
            },
            {"context": "The angle in <image 1> is right.", "query": "How long is its longest side?", "answer": "4"},
            1,
            id="olympiadbench, numbered token",
        ),
        pytest.param(
            "olympiadbench",
            {
                "_config": "OE_MM_physics_zh_CEE",
                "question": "升降机如图甲，内部如图乙。\n<img_1206>\n\n<img_918>\n求m。",
                "image_1": "images/1.png",
                "image_2": "images/2.png",
                "modality": "Multimodal",
                "language": "Chinese",
            },
            {"context": "升降机如图甲，内部如图乙。\n<image 1>\n\n<image 2>", "query": "求m。", "language": "zh"},
            2,
            id="olympiadbench, file tokens",
        ),
        pytest.param(
            "emma",
            {
                "_config": "Chemistry",
                "pid": "chem_1",
                "subject": "Chemistry",
                "question": "",
                "source": "EXAMS-V",
            },
            {"source_id": "chem_1", "subject": "chemistry", "question_in_picture": True, "correct_options": (1,)},
            1,
            id="emma, Chemistry",
        ),
        pytest.param(
            "emma",
            {
                "_config": "Coding",
                "pid": "coding_4",
                "subject": "Coding",
                "question": "Which plot can `plt.plot(x)` draw?",
                "options": ["<image_1>", "<image_2>"],
                "image_2": "images/2.png",
            },
            {"source_id": "coding_4", "subject": "computer_science", "options": ("<image 1>", "<image 2>")},
            2,
            id="emma, Coding",
        ),
        pytest.param(
            "mathvista",
            {"_split": "test", "answer": ""},
            {"source_id": "5", "answer": None, "correct_options": (), "options": ("9:30", "4:30")},
            1,
            id="mathvista, answers withheld",
        ),
    ],
)
def test_configs_and_splits_that_no_real_row_is_at_hand_of_come_through_parquet(
    name: str,
    columns: dict[str, Any],
    expected: dict[str, Any],
    pictures: int,
    pngs: list[bytes],
    row: Callable[..., dict[str, Any]],
    folder: Callable[[Rows], Path],
    parquet_copy: Callable[[str, Rows, Path], Path],
) -> None:
    made = row(name, **columns)
    copy = parquet_copy(name, [made], folder([made]))
    chosen = SourceRecipe(reader=name, location=str(copy), configs=(made["_config"],), split=made["_split"])
    (item,) = reader(name).read(chosen)
    assert isinstance(item, SourceItem), item
    assert {field: getattr(item.sample, field) for field in expected} == expected
    assert [blob.data for blob in item.blobs] == pngs[:pictures]


def test_take_stops_each_config_and_keeps_the_order(
    png: bytes, tmp_path: Path, row: Callable[..., dict[str, Any]], parquet_copy: Callable[[str, Rows, Path], Path]
) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(png)
    rows = [row("emma", pid=f"{config}_{n}", _config=config) for config in ("Physics", "Math") for n in range(5)]
    copy = parquet_copy("emma", rows, tmp_path)
    recipe = SourceRecipe(reader="emma", location=str(copy), configs=("Math", "Physics"), take=2)
    items = list(reader("emma").read(recipe))
    assert [_source_id(item) for item in items] == ["Math_0", "Math_1", "Physics_0", "Physics_1"]


@pytest.mark.parametrize("take", [1, 4, 7, 8, 17, 18, 40])
def test_take_gives_the_first_rows_of_several_files_in_groups_of_rows(tmp_path: Path, take: int) -> None:
    rows = [{"id": f"row {number:02}", "question": f"How much is {number} plus 1?"} for number in range(18)]
    for name, part in (("a", rows[:7]), ("b", rows[7:8]), ("c", rows[8:])):
        parquet.write_table(pa.Table.from_pylist(part), tmp_path / f"{name}.parquet", row_group_size=3)
    mapping = ColumnMapping(id="id", query="question", subject="=mathematics", licence="=CC0-1.0")
    recipe = SourceRecipe(reader="mapped", location=str(tmp_path), mapping=mapping)
    everything = list(reader("mapped").read(recipe))
    assert [_source_id(item) for item in everything] == [row["id"] for row in rows]
    assert list(reader("mapped").read(recipe.model_copy(update={"take": take}))) == everything[:take]


def _source_id(item: SourceItem | Quarantined) -> str:
    return item.sample.source_id if isinstance(item, SourceItem) else item.source_id


def test_a_broken_picture_in_parquet_costs_its_row_only(
    png: bytes, tmp_path: Path, row: Callable[..., dict[str, Any]], parquet_copy: Callable[[str, Rows, Path], Path]
) -> None:
    (tmp_path / "good.png").write_bytes(png)
    (tmp_path / "cut.png").write_bytes(png[: len(png) // 2])
    rows = [row("math_vision", id=str(n), decoded_image=file) for n, file in enumerate(("cut.png", "good.png"))]
    items = list(
        reader("math_vision").read(
            SourceRecipe(reader="math_vision", location=str(parquet_copy("math_vision", rows, tmp_path)))
        )
    )
    assert isinstance(items[0], Quarantined)
    assert items[0].reason is QuarantineReason.UNDECODABLE_PICTURE
    assert isinstance(items[1], SourceItem)


def test_a_null_picture_in_parquet_never_becomes_a_sample_without_picture(
    tmp_path: Path, row: Callable[..., dict[str, Any]], parquet_copy: Callable[[str, Rows, Path], Path]
) -> None:
    rows = [row("mathvista", decoded_image=None)]
    recipe = SourceRecipe(reader="mathvista", location=str(parquet_copy("mathvista", rows, tmp_path)))
    items = list(reader("mathvista").read(recipe))
    assert [item.reason for item in items if isinstance(item, Quarantined)] == [QuarantineReason.PICTURE_MISSING]


@pytest.fixture
def emma_copy(
    png: bytes, tmp_path: Path, row: Callable[..., dict[str, Any]], parquet_copy: Callable[[str, Rows, Path], Path]
) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(png)
    return parquet_copy("emma", [row("emma")], tmp_path)


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"configs": ("Maths",)}, ("'Maths'", "sources[].configs")),
        ({"configs": ("Math",), "split": "train"}, ("train", "sources[].split")),
    ],
    ids=["config", "split"],
)
def test_an_unknown_config_or_split_is_an_error_with_the_key_to_set(
    emma_copy: Path, choice: dict[str, Any], words: tuple[str, ...]
) -> None:
    recipe = SourceRecipe.model_validate({"reader": "emma", "location": str(emma_copy), **choice})
    with pytest.raises(SourceError) as raised:
        list(reader("emma").read(recipe))
    assert all(word in str(raised.value) for word in words)


def test_a_data_set_of_another_shape_is_an_error_that_names_the_missing_columns(emma_copy: Path) -> None:
    recipe = SourceRecipe(reader="math_vision", location=str(emma_copy), configs=("Math",), split="test")
    with pytest.raises(SourceError, match=r"has no column decoded_image, id"):
        list(reader("math_vision").read(recipe))


def test_a_broken_parquet_file_is_an_error(emma_copy: Path) -> None:
    file = next(emma_copy.rglob("*.parquet"))
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(SourceError, match="cannot be read"):
        list(reader("emma").read(SourceRecipe(reader="emma", location=str(emma_copy), configs=("Math",))))


def test_a_loading_script_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / f"{tmp_path.name}.py").write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"Python script.*plain files"):
        list(reader("emma").read(SourceRecipe(reader="emma", location=str(tmp_path), configs=("Math",))))


@pytest.mark.parametrize("revision", [None, "main", "v1.0"])
def test_a_hub_id_without_a_pinned_commit_is_refused_before_any_connection(revision: str | None) -> None:
    with pytest.raises(ConfigurationError, match=r"sources\[\]\.revision"):
        list(reader("emma").read(SourceRecipe(reader="emma", revision=revision)))


def test_a_missing_folder_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"There is no folder or file /nowhere/at/all\."):
        list(reader("emma").read(SourceRecipe(reader="emma", location="/nowhere/at/all")))
