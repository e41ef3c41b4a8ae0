import json
from pathlib import Path

import pytest
import yaml

from core.records import Subject
from sources.base import QuarantineReason
from sources.rows import UnusableRowError
from sources.subjects import FILE, subject_of

COUNTS = {"mmmu_pro": 30, "math_vision": 16, "emma": 4, "olympiadbench": 2}


@pytest.mark.parametrize(("source", "count"), COUNTS.items())
def test_every_value_of_a_source_has_a_subject(source: str, count: int) -> None:
    labels = yaml.safe_load(FILE.read_text(encoding="utf-8"))[source]["labels"]
    assert len(labels) == count
    assert {subject_of(source, (value,)) for value in labels} <= set(Subject)


def test_mathvista_knows_its_thirty_one_upstream_sets_and_the_kinds_of_picture() -> None:
    labels = yaml.safe_load(FILE.read_text(encoding="utf-8"))["mathvista"]["labels"]
    assert sum(1 for value in labels if value[0].isupper() or value == "VQA2.0") == 31


def test_all_nine_subjects_can_come_from_the_sources() -> None:
    tables = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    assert {label for table in tables.values() for label in table["labels"].values()} == {*Subject}


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What is the resistance between a and b?", Subject.PHYSICS),
        ("The gray level PDF is shown.", Subject.COMPUTER_SCIENCE),
        ("ABCD is a square.", Subject.MATHEMATICS),
    ],
)
def test_words_decide_where_an_upstream_set_spans_subjects(text: str, subject: Subject) -> None:
    assert subject_of("mathvista", ("TheoremQA", "scientific figure"), text) is subject


def test_the_second_value_is_used_when_the_first_is_unknown() -> None:
    assert subject_of("mathvista", ("NewSet", "medical image")) is Subject.BIOLOGY_MEDICINE


def test_an_unknown_value_names_the_file_to_edit() -> None:
    with pytest.raises(UnusableRowError, match=r"'Alchemy' of emma is not in sources/subjects\.yaml") as raised:
        subject_of("emma", ("Alchemy",))
    assert raised.value.reason is QuarantineReason.SUBJECT_UNKNOWN


@pytest.mark.parametrize("source", ["mmmu_pro", "emma", "math_vision", "olympiadbench"])
def test_every_real_row_has_a_subject(source: str, shared: Path) -> None:
    for file in (shared / "sources" / source).glob("records*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert subject_of(source, (json.loads(line)["subject"],)) in Subject
