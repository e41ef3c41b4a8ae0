import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import ConfigurationError, SourceError
from core.recipe import ColumnMapping, SourceRecipe
from core.records import Language, Subject
from sources.base import Quarantined, QuarantineReason, SourceItem
from sources.registry import reader

Folder = Callable[..., Path]
ROW: dict[str, Any] = {
    "number": 3,
    "ask": "A bar is heated. How long is it?",
    "choices": ["1 m", "2 m"],
    "figure": "images/1.png",
    "key": "B",
    "field": "Physics",
}
MAPPING = ColumnMapping(
    id="number",
    query="ask",
    options="choices",
    pictures=("figure",),
    answer="key",
    subject="field",
    licence="=CC0-1.0",
    attribution="=me",
)


def _read(place: Path, mapping: ColumnMapping | None = MAPPING) -> list[SourceItem | Quarantined]:
    return list(reader("mapped").read(SourceRecipe(reader="mapped", location=str(place), mapping=mapping)))


def test_columns_become_the_fields_of_a_sample(folder: Folder, pngs: list[bytes]) -> None:
    place = folder([ROW])
    [item] = _read(place)
    assert isinstance(item, SourceItem)
    sample = item.sample
    assert sample.source == f"mapped/{place.name}"
    assert (sample.source_id, sample.context, sample.query) == ("3", "A bar is heated.", "How long is it?")
    assert (sample.options, sample.answer, sample.correct_options) == (("1 m", "2 m"), "2 m", (1,))
    assert (sample.subject, sample.language) == (Subject.PHYSICS, Language.ENGLISH)
    assert (sample.licence, sample.attribution) == ("CC0-1.0", "me")
    assert [blob.data for blob in item.blobs] == [pngs[0]]


@pytest.mark.parametrize(
    ("columns", "mapping", "expected"),
    [
        ({"ask": "求长度。"}, {}, {"language": "zh"}),
        ({"lang": "zh", "ask": "Length?"}, {"language": "lang"}, {"language": "zh"}),
        ({}, {"language": "=zh"}, {"language": "zh"}),
        ({}, {"subject": "=art_design"}, {"subject": "art_design"}),
        ({"key": "1 m"}, {}, {"correct_options": [0]}),
        ({"choices": "['1 m', '2 m']"}, {}, {"options": ["1 m", "2 m"]}),
        ({"choices": None, "key": 4.5}, {}, {"answer": "4.5", "options": []}),
        ({"key": None}, {"answer": None}, {"answer": None, "correct_options": []}),
        ({"intro": "It is iron."}, {"context": "intro"}, {"context": "It is iron.\n\nA bar is heated."}),
        ({"choices": ["A", "C", "B"], "key": "B"}, {}, {"correct_options": [2]}),
    ],
)
def test_a_mapping_may_be_a_constant_a_column_or_nothing(
    folder: Folder, columns: dict[str, Any], mapping: dict[str, Any], expected: dict[str, Any]
) -> None:
    [item] = _read(folder([{**ROW, **columns}]), MAPPING.model_copy(update=mapping))
    assert isinstance(item, SourceItem), item
    found = item.sample.model_dump(mode="json")
    assert {key: found[key] for key in expected} == expected


def test_a_column_of_several_pictures_is_attached_in_order(folder: Folder, pngs: list[bytes]) -> None:
    [item] = _read(folder([{**ROW, "figure": ["images/2.png", "images/1.png"]}]))
    assert isinstance(item, SourceItem)
    assert [blob.data for blob in item.blobs] == [pngs[1], pngs[0]]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"field": "alchemy"}, QuarantineReason.SUBJECT_UNKNOWN),
        ({"key": "C"}, QuarantineReason.ANSWER_NOT_AMONG_OPTIONS),
        ({"figure": None, "ask": "How long is the bar in the figure?"}, QuarantineReason.PICTURE_MISSING),
        ({"ask": "How long is <image 2>?"}, QuarantineReason.TOKEN_WITHOUT_COLUMN),
        ({"figure": 5}, QuarantineReason.MALFORMED_ROW),
    ],
)
def test_a_row_that_cannot_be_used_has_its_reason(
    folder: Folder, columns: dict[str, Any], reason: QuarantineReason
) -> None:
    [item] = _read(folder([{**ROW, **columns}]))
    assert isinstance(item, Quarantined)
    assert item.reason is reason


def test_json_lines_of_any_name_are_read(folder: Folder) -> None:
    place = folder([ROW])
    (place / "records.jsonl").rename(place / "my questions.jsonl")
    assert len(_read(place)) == 1
    assert len(_read(place / "my questions.jsonl")) == 1


def test_parquet_with_pictures_inside_gives_the_same_sample_but_for_its_source(folder: Folder, png: bytes) -> None:
    from datasets import Dataset, Features, Image, List, Value

    place = folder([ROW])
    [from_lines] = _read(place)
    text = Value("string")
    features = Features(number=Value("int64"), ask=text, choices=List(text), figure=Image(), key=text, field=text)
    (place / "copy").mkdir()
    rows = [{**ROW, "figure": {"bytes": png, "path": None}}]
    Dataset.from_list(rows, features=features).to_parquet(place / "copy" / "data.parquet")
    for location in (place / "copy", place / "copy" / "data.parquet"):
        [from_parquet] = _read(location)
        assert isinstance(from_parquet, SourceItem)
        assert isinstance(from_lines, SourceItem)
        assert from_parquet.sample == from_lines.sample.model_copy(update={"source": f"mapped/{location.name}"})
        assert from_parquet.blobs == from_lines.blobs


def test_a_mapping_to_a_column_that_is_not_there_is_an_error(folder: Folder) -> None:
    with pytest.raises(SourceError, match="no column queston"):
        _read(folder([ROW]), MAPPING.model_copy(update={"query": "queston"}))


def test_without_a_mapping_there_is_nothing_to_read(folder: Folder) -> None:
    with pytest.raises(ConfigurationError, match=r"sources\[\]\.mapping"):
        _read(folder([ROW]), None)


def test_the_place_of_a_data_set_does_not_change_its_ids(folder: Folder, tmp_path: Path) -> None:
    place = folder([ROW])
    other = tmp_path / "deeper" / place.name
    other.parent.mkdir()
    first = [item.sample.id for item in _read(place) if isinstance(item, SourceItem)]
    (other / "images").mkdir(parents=True)
    (other / "images" / "1.png").write_bytes((place / "images" / "1.png").read_bytes())
    (other / "records.jsonl").write_text(json.dumps(ROW), encoding="utf-8")
    assert [item.sample.id for item in _read(other) if isinstance(item, SourceItem)] == first
