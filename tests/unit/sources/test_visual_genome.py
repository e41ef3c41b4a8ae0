"""Visual Genome in the official layout, built here from small pictures, and in the layout of copied rows."""

import io
import json
import random
from pathlib import Path

import pytest
from PIL import Image

from core.errors import ConfigurationError, SourceError
from core.recipe import SourceRecipe
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.visual_genome import VISUAL_GENOME


def _write_picture(path: Path, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = random.Random(seed).randbytes(40 * 30 * 3)
    buffer = io.BytesIO()
    Image.frombytes("RGB", (40, 30), pixels).save(buffer, "JPEG")
    path.write_bytes(buffer.getvalue())


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")


def _qa(number: int, question: str, answer: str) -> dict[str, object]:
    return {"qa_id": number, "question": question, "answer": answer, "image_id": 0, "q_objects": [], "a_objects": []}


@pytest.fixture
def official(tmp_path: Path) -> Path:
    """Pictures 1, 2 and 10 in two folders; the JSON files name them in other orders and know a picture 7 as well."""
    _write_picture(tmp_path / "VG_100K_2" / "1.jpg", 1)
    _write_picture(tmp_path / "VG_100K" / "2.jpg", 2)
    _write_picture(tmp_path / "VG_100K" / "10.jpg", 10)
    (tmp_path / "VG_100K" / "._2.jpg").write_bytes(b"\x00\x05\x16\x07")
    _write_json(
        tmp_path / "image_data.json", [{"image_id": number, "width": 40, "height": 30} for number in (7, 10, 1)]
    )
    questions = [
        {
            "id": 10,
            "qas": [_qa(5, "What colour is the bus? ", "Red."), _qa(3, "Why", "Rain."), _qa(9, "Who is it?", "A man.")],
        },
        {"id": 1, "qas": [_qa(8, "Where is the dog?", "On the sofa."), _qa(4, "What is the dog doing?", "Sleeping.")]},
    ]
    _write_json(tmp_path / "question_answers.json", questions)
    return tmp_path


def _read(folder: Path, *configs: str, take: int | None = None) -> list[SourceItem | Quarantined]:
    recipe = SourceRecipe(reader="visual_genome", location=str(folder), configs=configs, take=take)
    return list(VISUAL_GENOME.read(recipe))


def _ids(found: list[SourceItem | Quarantined]) -> list[str]:
    return [item.source_id if isinstance(item, Quarantined) else item.sample.source_id for item in found]


def test_pictures_come_by_number_and_those_that_are_only_named_come_last(official: Path) -> None:
    found = _read(official)
    assert _ids(found) == ["1", "2", "10", "7"]
    assert [item.reason for item in found if isinstance(item, Quarantined)] == [QuarantineReason.PICTURE_MISSING]


def test_a_question_is_matched_by_image_id_and_is_the_first_well_formed_one(official: Path) -> None:
    samples = [item.sample for item in _read(official) if isinstance(item, SourceItem)]
    assert [(sample.query, sample.answer) for sample in samples] == [
        ("What is the dog doing?", "Sleeping."),
        (None, None),
        ("What colour is the bus?", "Red."),
    ]
    assert {sample.context for sample in samples} == {None}


def test_pictures_alone_are_samples_without_text(official: Path) -> None:
    samples = [item.sample for item in _read(official, "images") if isinstance(item, SourceItem)]
    assert [(sample.context, sample.query, sample.answer) for sample in samples] == [(None, None, None)] * 3
    assert {(sample.licence, sample.subject.value) for sample in samples} == {
        ("CC-BY-4.0", "humanities_social_science")
    }


def test_take_stops_after_that_many_pictures(official: Path) -> None:
    assert _ids(_read(official, take=2)) == ["1", "2"]


def test_a_flat_folder_without_json_files_is_read(tmp_path: Path) -> None:
    _write_picture(tmp_path / "3.jpg", 3)
    _write_picture(tmp_path / "20.jpg", 20)
    assert _ids(_read(tmp_path)) == ["3", "20"]


def test_known_bad_and_broken_pictures_are_set_aside(tmp_path: Path) -> None:
    for number in (1592, 1722, 4616, 4617, 5000):
        _write_picture(tmp_path / f"{number}.jpg", number)
    whole = (tmp_path / "5000.jpg").read_bytes()
    (tmp_path / "5001.jpg").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "5002.jpg").write_bytes(b"not a picture")
    found = {item.source_id: item.reason for item in _read(tmp_path) if isinstance(item, Quarantined)}
    assert found == {
        **dict.fromkeys(("1592", "1722", "4616", "4617"), QuarantineReason.KNOWN_BAD_ROW),
        "5001": QuarantineReason.UNDECODABLE_PICTURE,
        "5002": QuarantineReason.NOT_A_PICTURE,
    }


def test_rows_of_json_lines_with_questions_and_a_broken_line(tmp_path: Path) -> None:
    _write_picture(tmp_path / "images" / "a.jpg", 1)
    rows = [
        json.dumps({"image": None, "image_id": 4, "regions": []}),
        "{broken",
        json.dumps({"image": "images/a.jpg", "image_id": 4, "qas": [_qa(1, "What is on the wall?", "A clock.")]}),
        json.dumps({"image": 17, "image_id": 5}),
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(rows), encoding="utf-8")
    first, *others = _read(tmp_path)
    assert isinstance(first, SourceItem)
    assert (first.sample.source_id, first.sample.query) == ("4", "What is on the wall?")
    assert {item.reason for item in others if isinstance(item, Quarantined)} == {QuarantineReason.MALFORMED_ROW}
    assert len(others) == 2


def test_real_rows_give_three_pictures_without_an_image_id(shared: Path) -> None:
    found = _read(shared / "sources" / "visual_genome")
    usable = [item for item in found if isinstance(item, SourceItem)]
    assert [item.sample.source_id for item in usable] == ["reltr_vg1", "reltr_vg2", "reltr_vg3"]
    assert all(item.sample.pictures and item.sample.query is None for item in usable)
    missing = [item for item in found if isinstance(item, Quarantined)]
    assert {item.reason for item in missing} == {QuarantineReason.PICTURE_MISSING}
    assert len(missing) == len(set(_ids(found))) - 3


@pytest.mark.parametrize("location", [None, "visual_genome", "ranjaykrishna/visual_genome"])
def test_the_hub_id_is_refused_with_what_to_do(location: str | None) -> None:
    with pytest.raises(SourceError, match=r"refuses to run.*sources\[\]\.location"):
        next(VISUAL_GENOME.read(SourceRecipe(reader="visual_genome", location=location)))


def test_an_empty_folder_is_an_error_and_no_empty_pool(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no picture"):
        _read(tmp_path)


@pytest.mark.parametrize("content", ["{}", "[1, 2", '[{"image_id": 1}, {"image', ""])
def test_a_broken_annotation_file_is_named(tmp_path: Path, content: str) -> None:
    _write_picture(tmp_path / "3.jpg", 3)
    (tmp_path / "image_data.json").write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=r"image_data\.json"):
        _read(tmp_path)


def test_an_unknown_config_is_refused(official: Path) -> None:
    with pytest.raises(ConfigurationError, match="relationships"):
        _read(official, "relationships")


def test_an_array_longer_than_one_read_is_read_whole(tmp_path: Path) -> None:
    _write_picture(tmp_path / "1.jpg", 1)
    entries = [{"image_id": number, "url": "x" * 500} for number in range(1, 5001)]
    _write_json(tmp_path / "image_data.json", entries)
    assert len(_read(tmp_path)) == 5000
