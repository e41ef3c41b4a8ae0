"""Any file of questions is understood, by the usual names of its columns or by a mapping, and what is wrong is said."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from core.errors import ConfigurationError, SourceError
from linting.checking import lint
from linting.columns import Role, parse_mapping
from linting.findings import Kind, Severity
from linting.reading import read_data
from linting.rows import LintRow
from linting.text_report import render_text
from linting.watching import Watch


def _png(seed: int, side: int = 64) -> bytes:
    """Large blocks, so that pictures of different seeds look different."""
    blocks = np.random.default_rng(seed).integers(0, 255, (8, 8, 3), dtype=np.uint8)
    stream = io.BytesIO()
    Image.fromarray(blocks).resize((side, side), Image.Resampling.BICUBIC).save(stream, "PNG")
    return stream.getvalue()


def _write_json(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return str(path)


def _only(location: str, *mapping: str) -> LintRow:
    (row,) = read_data([location], parse_mapping(mapping)).rows
    return row


def test_json_list_is_read_with_its_own_names(tmp_path: Path) -> None:
    values = {"id": "1.jpg", "image_path": "/far/1.jpg", "type": "Scene", "question": "Why?", "label": False}
    row = _only(_write_json(tmp_path / "test.json", [values | {"premise": "park", "answer": "No."}]))
    assert (row.id, row.split, row.question, row.label) == ("1.jpg", "test", "Why?", False)
    assert (row.subtype, row.premise, row.answer) == ("Scene", "park", "No.")
    assert [(one.name, one.missing) for one in row.pictures] == [("/far/1.jpg", True)]


def test_columns_of_other_names_are_mapped(tmp_path: Path) -> None:
    table = pa.table({"txt": ["Why?"], "meta": [{"p": "park"}], "bad": [1], "pic": [{"bytes": _png(1), "path": None}]})
    pq.write_table(table, tmp_path / "validation-00000-of-00001.parquet")
    row = _only(str(tmp_path), "question=txt", "premise=meta.p", "label=!bad", "picture=pic")
    assert (row.question, row.premise, row.label, row.split) == ("Why?", "park", False, "validation")
    assert row.id == "validation-00000-of-00001.parquet:0"
    assert row.pictures[0].sha256 is not None
    assert row.pictures[0].numbers is not None


def test_json_lines_and_premises_as_records_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        json.dumps({"question": "Why?", "label": "valid", "premise": {"text": "park"}}) + "\n", encoding="utf-8"
    )
    row = _only(str(path))
    assert (row.premise, row.label, row.split) == ("park", True, "rows")


def test_turns_of_a_conversation_are_their_texts(tmp_path: Path) -> None:
    turns = {name: [{"role": name, "content": f"{name}?"}] for name in ("prompt", "completion")}
    row = _only(_write_json(tmp_path / "sft.json", [turns]))
    assert (row.question, row.answer) == ("prompt?", "completion?")


def test_flawed_rows_and_their_twins_are_one_part_with_labels(tmp_path: Path) -> None:
    columns = {"primary_type": [None], "edits": [None], "pair_id": ["p"], "question": ["| 1 | What?\n"]}
    for split, subtype in (("test", "ambiguity"), ("twins", None)):
        table = pa.table(columns | {"id": [split], "subtype": pa.array([subtype], pa.string())})
        pq.write_table(table, tmp_path / f"{split}-00000-of-00001.parquet")
    data = read_data([str(tmp_path)], {})
    assert [(row.id, row.label) for row in data.parts["test+twins"]] == [("test", False), ("twins", True)]
    assert lint(data).findings == ()  # the mark and the line break stood in the source


def test_pictures_are_found_by_name_in_the_folder_given_and_described(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "1.png").write_bytes(_png(1))
    (folder / "2.png").write_bytes(_png(2)[:60])
    rows = [{"question": f"Why {number}?", "image": f"/far/{number}.png"} for number in (1, 2, 3)]
    path = _write_json(tmp_path / "data.json", rows)
    found = {one.kind: one for one in lint(read_data([path], {}, folder)).findings}
    assert found[Kind.PICTURE_UNDECODABLE].ids == ("data.json:1",)
    assert found[Kind.PICTURE_MISSING].ids == ("data.json:2",)


@pytest.mark.parametrize("name", ["../1.png", "{outside}/1.png", "link.png"])
def test_a_name_that_leads_out_of_the_folders_is_no_picture(tmp_path: Path, name: str) -> None:
    (tmp_path / "1.png").write_bytes(_png(1))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "link.png").symlink_to(tmp_path / "1.png")
    row = {"question": "Why?", "image": name.format(outside=tmp_path)}
    [picture] = _only(_write_json(tmp_path / "data" / "a.json", [row])).pictures
    assert (picture.sha256, picture.missing) == (None, True)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that is there and cannot be read")
def test_a_picture_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    path = _write_json(tmp_path / "a.json", [{"question": "Why?", "image": "mem"}])
    found = {one.kind: one for one in lint(read_data([path], {}, Path("/proc/self"))).findings}
    assert found[Kind.PICTURE_UNDECODABLE].ids == ("a.json:0",)
    assert "mem cannot be read" in found[Kind.PICTURE_UNDECODABLE].examples[0].evidence


def test_a_row_without_a_picture_among_rows_that_have_one_is_found(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(_png(1))
    rows = [{"id": str(number), "question": f"Why {number}?", "image": "1.png"} for number in range(20)]
    path = _write_json(tmp_path / "data.json", [*rows, {"id": "bare", "question": "Why not?", "image": None}])
    found = {one.kind: one for one in lint(read_data([path], {})).findings}
    assert found[Kind.PICTURE_MISSING].ids == ("bare",)


def test_a_picture_in_two_splits_is_found_by_bytes_by_looks_and_by_name(tmp_path: Path) -> None:
    picture, larger, other, broken = _png(1), _png(1, 96), _png(2), _png(3)[:60]
    for name, data in (("a", picture), ("b", larger), ("c", other), ("d", broken), ("e", broken), ("f", broken[:50])):
        (tmp_path / f"{name}.png").write_bytes(data)
    train = _write_json(
        tmp_path / "train.json",
        [
            {"id": "t", "question": "Why?", "image": "a.png"},
            {"id": "g", "question": "Who?", "image": "gone.png"},
            {"id": "u", "question": "How?", "image": "d.png"},
        ],
    )
    rows = [
        {"id": name, "question": f"What {name}?", "image": f"{name}.png"} for name in ("a", "b", "c", "e", "f", "gone")
    ]
    data = read_data([train, _write_json(tmp_path / "test.json", rows)], {})
    found = {one.kind: one for one in lint(data).findings if one.split is None}
    assert found[Kind.SHARED_PICTURE].ids == ("a", "b", "e", "gone")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.json", "[]", "no row"),
        ("a.json", '[{"q": 1}]', "--map question=COLUMN"),
        ("a.json", '[{"question": "Why?", "label": "maybe"}]', r"a.json:0: the label 'maybe' in .* 1 row has"),
        ("a.jsonl", '{"question": "Why?", "label": 7}\n' * 3, r"a.jsonl:1: the label 7 .* 3 rows have"),
        ("a.json", '{"question": "Why?"}', "begins with a JSON object"),
        ("a.json", "", "is empty"),
        ("a.parquet", "", "is empty"),
        ("a.jsonl", '{"question": "Why?", "question": "Who?"}', "'question' stands twice"),
        ("a.json", '[{"question": "Why?", "meta": {"a": 1, "a": 2}}]', "'a' stands twice"),
        ("a.json", '[{"question": "Why?"}] more', "more behind its `]`"),
        ("a.json", "[" * 100_000, "recursion"),
        ("a.json", "[1]", "int"),
        ("a.json", "[{", "whole JSON array"),
        ("a.parquet", "x", "cannot be read"),
        ("a.csv", "x", "no Parquet"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, content: str, told: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=told):
        read_data([str(tmp_path / name)], {})


def test_a_column_of_text_that_is_not_utf_8_is_named_as_such(tmp_path: Path) -> None:
    texts = pa.array([b"O\xf9 est-ce?"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"question": texts}), tmp_path / "a.parquet")
    with pytest.raises(SourceError, match=r"a\.parquet cannot be read: 'utf-8' codec"):
        read_data([str(tmp_path)], {})


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_other_encodings_are_named_as_such(tmp_path: Path, encoding: str, name: str) -> None:
    (tmp_path / name).write_bytes('[{"question": "Où est-ce?"}]'.encode(encoding))
    with pytest.raises(SourceError, match="is not UTF-8") as caught:
        read_data([str(tmp_path)], {})
    assert "iconv" in caught.value.fix


def test_places_that_are_not_there_and_columns_that_are_not_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no file or folder"):
        read_data([str(tmp_path / "none.json")], {})
    with pytest.raises(SourceError, match="holds no Parquet"):
        read_data([str(tmp_path)], {})
    path = _write_json(tmp_path / "a.json", [{"question": "Why?"}])
    with pytest.raises(SourceError, match="no column txt"):
        read_data([path], {Role.QUESTION: "txt"})


def test_data_without_labels_say_which_columns_were_taken_and_what_was_left_out(tmp_path: Path) -> None:
    rows = [{"query": "Why?", "is_flawed": 1}]
    path = _write_json(tmp_path / "a.json", rows)
    report = lint(read_data([path], {}))
    (finding,) = report.findings
    assert (finding.kind, finding.severity) == (Kind.CHECKS_LEFT_OUT, Severity.INFO)
    assert "are is_flawed, query: " in finding.message
    assert "--map label=COLUMN" in finding.message
    assert "columns  question=query" in render_text(report)
    assert "0 parts within the limit of the blind baseline, 5 checks left out: no labels" in render_text(report)
    assert lint(read_data([path], parse_mapping(("label=!is_flawed",)))).findings == ()


def test_only_what_takes_long_is_told_on_its_way() -> None:
    told: list[str] = []
    times = iter((0.0, 1.0, 3.0, 3.0))
    watch = Watch(told.append, lambda: next(times))
    watch.begin("texts", "a", 10)
    watch.begin("pictures", "a", 10)
    watch.begin("premises", "b", 20_000)
    assert list(watch.reading(range(10_000))) == list(range(10_000))
    assert told == ["lint: pictures of a, 10 rows", "lint: premises of b, 20,000 rows", "lint: 10,000 rows read"]


@pytest.mark.parametrize("option", ["question", "colour=x", "question=", "label=!"])
def test_a_mapping_that_maps_nothing_is_refused(option: str) -> None:
    with pytest.raises(ConfigurationError, match="--map"):
        parse_mapping((option,))
