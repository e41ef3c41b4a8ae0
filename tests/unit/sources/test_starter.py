"""The shipped starter set as the product reads it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.errors import SourceError
from core.image_tokens import numbers_in
from core.pictures import perceptual_hash
from core.recipe import SourceRecipe
from core.records import Language, Subject
from sources.base import Quarantined, QuarantineReason, Reader, SourceItem
from sources.starter import FOLDER, QUESTIONS, STARTER


@pytest.fixture(scope="module")
def items() -> list[SourceItem]:
    found = list(STARTER.read(SourceRecipe(reader="starter")))
    assert not [item for item in found if isinstance(item, Quarantined)]
    return [item for item in found if isinstance(item, SourceItem)]


def test_the_reader_is_a_reader() -> None:
    reader: Reader = STARTER
    assert reader.name == "starter"


def test_every_subject_has_six_questions_two_of_them_in_chinese(items: list[SourceItem]) -> None:
    counts = Counter((item.sample.subject, item.sample.language) for item in items)
    assert counts == {
        (subject, language): wanted
        for subject in Subject
        for language, wanted in ((Language.ENGLISH, 4), (Language.CHINESE, 2))
    }


def test_there_are_questions_with_none_one_two_and_three_pictures(items: list[SourceItem]) -> None:
    counts = Counter(len(item.sample.pictures) for item in items)
    assert set(counts) == {0, 1, 2, 3}
    assert counts[1] > len(items) / 2


def test_half_of_the_questions_are_multiple_choice(items: list[SourceItem]) -> None:
    assert sum(bool(item.sample.options) for item in items) == len(items) // 2


def test_right_options_are_those_that_equal_the_answer(items: list[SourceItem]) -> None:
    for sample in (item.sample for item in items):
        assert [sample.options[number] for number in sample.correct_options] == [sample.answer] * bool(sample.options)


def test_tokens_name_exactly_the_pictures(items: list[SourceItem]) -> None:
    for sample in (item.sample for item in items):
        assert set(numbers_in(sample.context, sample.query)) == set(range(1, len(sample.pictures) + 1))


def test_blobs_and_facts_follow_the_pictures(items: list[SourceItem]) -> None:
    for item in items:
        assert tuple(blob.picture for blob in item.blobs) == item.sample.pictures
        assert [fact.sha256 for fact in item.facts] == [picture.sha256 for picture in item.sample.pictures]
    first = next(item for item in items if item.blobs)
    assert first.facts[0].perceptual_hash == perceptual_hash(first.blobs[0].data)


def test_pictures_differ_and_are_between_600_and_1000_pixels_wide(items: list[SourceItem]) -> None:
    pictures = [picture for item in items for picture in item.sample.pictures]
    assert len({picture.sha256 for picture in pictures}) == len(pictures)
    assert all(600 <= picture.width <= 1000 for picture in pictures)
    assert sum(len(blob.data) for item in items for blob in item.blobs) < 2_500_000


def test_take_stops_after_that_many_rows() -> None:
    assert len(list(STARTER.read(SourceRecipe(reader="starter", take=3)))) == 3


def test_a_folder_without_questions_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=tmp_path.name):
        list(STARTER.read(SourceRecipe(reader="starter", location=str(tmp_path))))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"subject": "alchemy"}, QuarantineReason.MALFORMED_ROW, id="unknown subject"),
        pytest.param({"pictures": ["absent.png"]}, QuarantineReason.PICTURE_MISSING, id="no such picture"),
        pytest.param({"pictures": ["../questions.jsonl"]}, QuarantineReason.MALFORMED_ROW, id="outside the folder"),
    ],
)
def test_a_bad_row_is_set_aside_and_the_next_one_read(
    tmp_path: Path, root: Path, change: dict[str, object], reason: QuarantineReason
) -> None:
    lines = (root / "starter" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    text_only = next(line for line in lines if json.loads(line)["pictures"] == [])
    (tmp_path / "pictures").mkdir()
    bad = json.dumps({**json.loads(lines[0]), **change})
    (tmp_path / "questions.jsonl").write_text(f"{bad}\n{text_only}\n", encoding="utf-8")
    first, second = STARTER.read(SourceRecipe(reader="starter", location=str(tmp_path)))
    assert isinstance(first, Quarantined)
    assert (first.source_id, first.reason) == ("questions.jsonl:1", reason)
    assert isinstance(second, SourceItem)


def test_a_question_with_the_id_of_an_earlier_one_is_set_aside(tmp_path: Path) -> None:
    line = (FOLDER / QUESTIONS).read_text(encoding="utf-8").splitlines()[0]
    plain = json.dumps(json.loads(line) | {"pictures": []})
    (tmp_path / QUESTIONS).write_text(f"{plain}\n{plain}\n", encoding="utf-8")
    first, second = STARTER.read(SourceRecipe(reader="starter", location=str(tmp_path)))
    assert isinstance(first, SourceItem)
    assert isinstance(second, Quarantined)
    assert second.reason is QuarantineReason.DUPLICATE_ID
