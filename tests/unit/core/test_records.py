from typing import Any

import pytest
from pydantic import ValidationError

from core.identity import content_hash
from core.records import (
    MAX_PICTURES,
    Decision,
    Flaw,
    FlawedSample,
    Language,
    Picture,
    PictureRemoval,
    Sample,
    Stage,
    Subject,
    TextEdit,
    TextPart,
)
from core.taxonomy import PrimaryType, Subtype

PICTURE = Picture(sha256="ab" * 32, media_type="image/png", width=40, height=30)


def make_sample(**changes: Any) -> Sample:
    values = {
        "source": "starter",
        "source_id": "1",
        "context": None,
        "query": "How many?",
        "subject": Subject.PHYSICS,
        "language": Language.CHINESE,
        "licence": "cc0-1.0",
        "attribution": "us",
    }
    return Sample.model_validate({**values, **changes})


def make_flaw(subtype: Subtype = Subtype.MISSING_IMAGE) -> Flaw:
    return Flaw(
        subtype=subtype,
        generator="rules",
        injector_version=1,
        edits=(PictureRemoval(before=(PICTURE,)),),
        explanation="The picture was taken away.",
    )


def make_candidate(**changes: Any) -> FlawedSample:
    return FlawedSample.model_validate(
        {"parent": "smp_1", "context": None, "query": "?", "flaws": (make_flaw(),), **changes}
    )


def test_ids_are_the_hash_of_all_fields_with_the_kind_in_front() -> None:
    sample, candidate = make_sample(), make_candidate()
    decision = Decision(stage=Stage.READ, item="starter:1", keep=True, decided_by="starter")
    assert sample.id == f"smp_{content_hash(sample.model_dump(mode='json'))[:32]}"
    assert candidate.id == f"cnd_{content_hash(candidate.model_dump(mode='json'))[:32]}"
    assert decision.id == f"dec_{content_hash(decision.model_dump(mode='json'))[:32]}"


@pytest.mark.parametrize(
    "change",
    [
        {"query": "How much?"},
        {"context": ""},
        {"pictures": (PICTURE,)},
        {"options": ("1", "2")},
        {"answer": ""},
        {"licence": "mit"},
        {"question_in_picture": True},
    ],
    ids=str,
)
def test_another_field_is_another_id(change: dict[str, object]) -> None:
    assert make_sample(**change).id != make_sample().id


def test_sample_survives_json_with_its_id() -> None:
    sample = make_sample(pictures=(PICTURE,), options=("图", "<image 1>"), correct_options=(1,))
    copy = Sample.model_validate_json(sample.model_dump_json())
    assert (copy, copy.id) == (sample, sample.id)


def test_edits_come_back_from_json_as_their_own_kinds() -> None:
    edit = TextEdit(part=TextPart.QUERY, start=0, before="How", after="Why")
    flaw = make_flaw().model_copy(update={"edits": (edit, *make_flaw().edits)})
    candidate = make_candidate(flaws=(flaw,))
    copy = FlawedSample.model_validate_json(candidate.model_dump_json())
    assert copy == candidate
    assert [type(found) for found in copy.flaws[0].edits] == [TextEdit, PictureRemoval]


def test_no_text_and_no_picture_are_legal() -> None:
    sample = make_sample(query=None)
    assert (sample.context, sample.query, sample.pictures) == (None, None, ())


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: make_sample(surprise=1), id="unknown field"),
        pytest.param(lambda: make_sample(language="fr"), id="third language"),
        pytest.param(lambda: make_sample(subject="astrology"), id="tenth subject"),
        pytest.param(lambda: make_sample(pictures=(PICTURE,) * (MAX_PICTURES + 1)), id="ten pictures"),
        pytest.param(lambda: make_candidate(flaws=()), id="no flaw"),
        pytest.param(lambda: make_candidate(flaws=(make_flaw(),) * 3), id="three flaws"),
        pytest.param(lambda: make_candidate(pictures=(PICTURE,) * (MAX_PICTURES + 2)), id="eleven pictures"),
        pytest.param(lambda: Picture(sha256="AB" * 32, media_type="image/png", width=1, height=1), id="capital hash"),
        pytest.param(lambda: Picture(sha256="ab" * 32, media_type="image/png", width=0, height=1), id="no width"),
        pytest.param(lambda: TextEdit(part=TextPart.QUERY, start=-1, before="", after="x"), id="place below zero"),
    ],
)
def test_impossible_record_is_refused(make: Any) -> None:
    with pytest.raises(ValidationError):
        make()


def test_candidate_may_show_one_picture_more_than_its_source() -> None:
    assert len(make_candidate(pictures=(PICTURE,) * (MAX_PICTURES + 1)).pictures) == MAX_PICTURES + 1


def test_records_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        make_sample().query = "Why?"


def test_candidate_counts_as_its_first_flaw() -> None:
    candidate = make_candidate(flaws=(make_flaw(Subtype.MISMATCH), make_flaw(Subtype.AMBIGUITY)))
    assert candidate.subtype is Subtype.MISMATCH
    assert candidate.primary_type is PrimaryType.MISSING_PREMISE


def test_copy_with_another_field_has_its_own_id() -> None:
    sample = make_sample()
    assert sample.id == make_sample().id
    assert sample.model_copy(update={"query": "Why?"}).id == make_sample(query="Why?").id
