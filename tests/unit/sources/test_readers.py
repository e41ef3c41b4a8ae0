"""Quirks of the five data sets that no public report names: each as its README or its real rows show it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.records import Language, Subject
from sources.base import Quarantined, QuarantineReason, SourceItem

MakeRow = Callable[..., dict[str, Any]]
Read = Callable[..., list[SourceItem | Quarantined]]
RealItems = Callable[[str], list[SourceItem | Quarantined]]
NAMES = ("olympiadbench", "mmmu_pro", "emma", "mathvista", "math_vision")


def _sample(items: list[SourceItem | Quarantined]) -> SourceItem:
    assert len(items) == 1
    assert isinstance(items[0], SourceItem), items[0]
    return items[0]


def _reason(items: list[SourceItem | Quarantined]) -> QuarantineReason:
    assert len(items) == 1
    assert isinstance(items[0], Quarantined), items[0]
    return items[0].reason


@pytest.mark.parametrize(
    ("name", "rows", "samples"),
    [("olympiadbench", 46, 38), ("mmmu_pro", 42, 16), ("emma", 59, 39), ("mathvista", 34, 19), ("math_vision", 48, 48)],
)
def test_the_real_rows_become_as_many_samples_as_have_what_they_need(
    name: str, rows: int, samples: int, real_items: RealItems
) -> None:
    items = real_items(name)
    assert len(items) == rows
    assert sum(isinstance(item, SourceItem) for item in items) == samples
    ids = Counter(item.sample.source_id if isinstance(item, SourceItem) else item.source_id for item in items)
    assert max(ids.values()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_real_picture_keeps_the_bytes_of_its_file(name: str, shared: Path, real_items: RealItems) -> None:
    folder = shared / "sources" / name
    files = {path.read_bytes() for path in (folder / "images").glob("*")} if (folder / "images").is_dir() else set()
    items = [item for item in real_items(name) if isinstance(item, SourceItem)]
    assert all(blob.data in files for item in items for blob in item.blobs)
    assert all([b.picture for b in i.blobs] == list(i.sample.pictures) and len(i.facts) == len(i.blobs) for i in items)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_names_its_source_licence_and_attribution(name: str, read: Read, row: MakeRow) -> None:
    sample = _sample(read(name, row(name))).sample
    assert sample.source == name
    assert sample.licence
    assert "https://github.com/" in sample.attribution


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_question_is_no_sample(name: str, read: Read, row: MakeRow) -> None:
    assert _reason(read(name, row(name, question=" \r\n"))) is QuarantineReason.NO_TEXT


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [7, None, ["x"], {"a": 1}, True])
def test_a_question_of_the_wrong_type_is_malformed(name: str, value: object, read: Read, row: MakeRow) -> None:
    reason = _reason(read(name, row(name, question=value)))
    assert reason is (
        QuarantineReason.NO_TEXT if (name, value) == ("olympiadbench", None) else QuarantineReason.MALFORMED_ROW
    )


def test_olympiadbench_joins_its_answers_with_their_unit(read: Read, row: MakeRow) -> None:
    """Rows 7595 and 7357."""
    two = row("olympiadbench", final_answer=["990，1000"], unit="\\Omega", is_multiple_answer=None)
    assert _sample(read("olympiadbench", two)).sample.answer == "990, 1000 (unit: \\Omega)"
    assert _sample(read("olympiadbench", row("olympiadbench", final_answer=["$1$", "$2$"]))).sample.answer == "$1$; $2$"


def test_olympiadbench_file_tokens_are_its_picture_columns_in_order(
    read: Read, row: MakeRow, pngs: list[bytes]
) -> None:
    question = "升降机如图甲，内部如图乙。\n<img_1206>\n\n<img_918>\n求m。"
    item = _sample(
        read(
            "olympiadbench",
            row("olympiadbench", question=question, image_1="images/1.png", image_2="images/2.png", language="Chinese"),
        )
    )
    assert item.sample.context == "升降机如图甲，内部如图乙。\n<image 1>\n\n<image 2>"
    assert item.sample.query == "求m。"
    assert [blob.data for blob in item.blobs] == pngs[:2]
    assert item.sample.language is Language.CHINESE


def test_olympiadbench_keeps_its_own_context_first(read: Read, row: MakeRow) -> None:
    sample = _sample(read("olympiadbench", row("olympiadbench", context="Constants: $g=9.8$"))).sample
    assert sample.context == "Constants: $g=9.8$\n\nLet $x=2$."


def test_olympiadbench_row_that_needs_another_part_is_quarantined(read: Read, row: MakeRow) -> None:
    """Row 7513: its solution builds on part (2)."""
    part = row("olympiadbench", question="求力的大小。", solution=["由(2)分析可知 F=2"], language="Chinese")
    assert _reason(read("olympiadbench", part)) is QuarantineReason.NEEDS_ANOTHER_PART


def test_mmmu_vision_rows_have_their_question_in_the_picture(read: Read, row: MakeRow, pngs: list[bytes]) -> None:
    vision = {
        "id": "test_Music_251",
        "image": "images/3.png",
        "options": "['<image 4>', '<image 2>']",
        "answer": "B",
        "subject": "Music",
        "_config": "vision",
    }
    item = _sample(read("mmmu_pro", vision))
    sample = item.sample
    assert sample.question_in_picture
    assert (sample.context, sample.query) == (None, None)
    assert sample.options == ("A", "B")
    assert sample.correct_options == (1,)
    assert sample.source_id == "vision:test_Music_251"
    assert [blob.data for blob in item.blobs] == [pngs[2]]


def test_emma_answers_in_lower_case_count(read: Read, row: MakeRow) -> None:
    assert _sample(read("emma", row("emma", answer="c"))).sample.correct_options == (2,)


@pytest.mark.parametrize("spelling", ["Multiple Choice", "Multiple choice", "Open-ended"])
def test_emma_is_read_by_its_options_and_not_by_its_type(read: Read, row: MakeRow, spelling: str) -> None:
    assert _sample(read("emma", row("emma", type=spelling))).sample.options == ("A", "B", "C")


def test_emma_stray_tokens_of_math_vision_are_labels_of_the_one_picture(read: Read, row: MakeRow) -> None:
    """Math_55."""
    stray = row("emma", question="Pieces:\n<image_1>\nHe covers a shape. Which one, if <image2> is placed as shown?")
    sample = _sample(read("emma", stray)).sample
    assert sample.context == "<image 1>\nPieces:\n[image1]\nHe covers a shape."
    assert sample.query == "Which one, if [image2] is placed as shown?"
    assert len(sample.pictures) == 1


def test_emma_tokens_with_an_empty_column_miss_their_picture(read: Read, row: MakeRow) -> None:
    """phy_4, if its option pictures were lost."""
    lost = row("emma", options=["<image_2>", "<image_3>"], answer="A")
    assert _reason(read("emma", lost)) is QuarantineReason.PICTURE_MISSING


def test_emma_screenshot_rows_without_a_question_have_it_in_the_picture(read: Read, row: MakeRow) -> None:
    """chem_146."""
    sample = _sample(read("emma", row("emma", question="", source="EXAMS-V"))).sample
    assert sample.question_in_picture
    assert sample.query is None
    assert len(sample.pictures) == 1


def test_emma_option_pictures_keep_their_columns(read: Read, row: MakeRow, pngs: list[bytes]) -> None:
    options = ["<image_3>", "<image_2>"]
    item = _sample(
        read("emma", row("emma", options=options, answer="A", image_2="images/2.png", image_3="images/3.png"))
    )
    assert item.sample.options == ("<image 3>", "<image 2>")
    assert [blob.data for blob in item.blobs] == pngs[:3]


@pytest.mark.parametrize("config", ["Math", "Coding"])
def test_rows_with_one_text_and_two_pictures_are_two_samples(read: Read, row: MakeRow, config: str) -> None:
    items = read("emma", row("emma", pid="1", _config=config), row("emma", pid="2", image_1="images/2.png"))
    ids = {item.sample.id for item in items if isinstance(item, SourceItem)}
    assert len(ids) == 2


def test_mathvista_answers_are_texts_of_options(read: Read, row: MakeRow) -> None:
    wrong = row("mathvista", answer="B")
    assert _reason(read("mathvista", wrong)) is QuarantineReason.ANSWER_NOT_AMONG_OPTIONS


def test_mathvista_answers_withheld_in_its_test_split_are_none(read: Read, row: MakeRow) -> None:
    withheld = row("mathvista", answer="", _split="test")
    sample = _sample(read("mathvista", withheld)).sample
    assert sample.answer is None
    assert sample.correct_options == ()
    assert _reason(read("mathvista", row("mathvista", answer=""))) is QuarantineReason.NO_ANSWER


def test_mathvista_list_answers_stay_text(read: Read, row: MakeRow) -> None:
    """pid 225."""
    answer = "[0, 2, 0, 2, 1]"
    free = row("mathvista", choices=None, answer=answer, answer_type="list", question_type="free_form")
    assert _sample(read("mathvista", free)).sample.answer == answer


@pytest.mark.parametrize(
    ("question", "query"),
    [("What is the age gap?", "What is the age gap? (Unit: years)"), ("How many? (Unit: $)", "How many? (Unit: $)")],
)
def test_mathvista_says_the_unit_once(read: Read, row: MakeRow, question: str, query: str) -> None:
    sample = _sample(read("mathvista", row("mathvista", question=question, unit="years"))).sample
    assert sample.query == query


def test_mathvista_persian_is_not_supported(read: Read, row: MakeRow) -> None:
    """pid 204."""
    metadata = {**row("mathvista")["metadata"], "language": "persian"}
    assert _reason(read("mathvista", row("mathvista", metadata=metadata))) is QuarantineReason.LANGUAGE_NOT_SUPPORTED


def test_mathvista_names_the_terms_of_the_upstream_set(read: Read, row: MakeRow) -> None:
    metadata = {**row("mathvista")["metadata"], "source": "TabMWP"}
    assert (
        "TabMWP under CC BY-NC-SA 4.0"
        in _sample(read("mathvista", row("mathvista", metadata=metadata))).sample.attribution
    )


def test_mathvista_metadata_of_another_shape_is_malformed(read: Read, row: MakeRow) -> None:
    assert _reason(read("mathvista", row("mathvista", metadata="{}"))) is QuarantineReason.MALFORMED_ROW


def test_two_questions_on_one_picture_store_it_once(read: Read, row: MakeRow) -> None:
    """pids 617 and 999."""
    items = read("mathvista", row("mathvista"), row("mathvista", pid="6", question="Which hour is it?"))
    assert len({blob.picture.sha256 for item in items if isinstance(item, SourceItem) for blob in item.blobs}) == 1


@pytest.mark.parametrize(
    ("options", "answer", "right"),
    [
        (["A", "B"], "B", (1,)),
        (["(A)", "(B)"], "B", (1,)),
        (["2", "2", "3"], "A", (0, 1)),
        ([], "C", ()),
        ([], "8.0", ()),
    ],
    ids=["letters", "brackets", "equal options", "bare letter", "number"],
)
def test_math_vision_answers(read: Read, row: MakeRow, options: list[str], answer: str, right: tuple[int, ...]) -> None:
    sample = _sample(read("math_vision", row("math_vision", options=options, answer=answer))).sample
    assert sample.correct_options == right
    assert sample.answer is not None


def test_math_vision_has_one_picture_whatever_its_tokens_say(read: Read, row: MakeRow, pngs: list[bytes]) -> None:
    item = _sample(read("math_vision", row("math_vision", question="Which is opposite to <image3>?\n<image4>")))
    assert item.sample.query == "<image 1>\nWhich is opposite to [image3]?\n[image4]"
    assert [blob.data for blob in item.blobs] == [pngs[0]]


def test_an_unknown_subject_is_quarantined_with_the_file_to_edit(read: Read, row: MakeRow) -> None:
    [item] = read("math_vision", row("math_vision", subject="alchemy"))
    assert isinstance(item, Quarantined)
    assert item.reason is QuarantineReason.SUBJECT_UNKNOWN
    assert "sources/subjects.yaml" in item.detail


def test_more_than_nine_pictures_are_too_many(read: Read, row: MakeRow) -> None:
    columns = {f"image_{number}": "images/1.png" for number in range(1, 11)}
    question = "Compare " + " ".join(f"<image_{number}> and" for number in range(1, 11))
    assert _reason(read("emma", row("emma", question=question, **columns))) is QuarantineReason.TOO_MANY_PICTURES


def test_subjects_come_from_the_source(read: Read, row: MakeRow) -> None:
    assert _sample(read("mmmu_pro", row("mmmu_pro", subject="Pharmacy"))).sample.subject is Subject.BIOLOGY_MEDICINE
