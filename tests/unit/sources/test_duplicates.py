"""Near-duplicates across sources, on made samples and on real EMMA rows beside copies in the form of MATH-Vision."""

import io
import random
from collections.abc import Callable, Iterable

import pytest
from PIL import Image

from core.pictures import read_with_hash
from core.records import Language, Picture, Sample, Subject
from sources.base import Quarantined, SourceItem
from sources.duplicates import find_duplicates

RealItems = Callable[[str], list[SourceItem | Quarantined]]

QUESTION = "The figure shows a square with a side of 4 cm. What is the area of the shaded part of the square?"


def _picture(number: int) -> Picture:
    return Picture(sha256=f"{number:064x}", media_type="image/png", width=400, height=300)


def _sample(
    query: str | None,
    pictures: tuple[int, ...] = (1,),
    source: str = "math_vision",
    source_id: str = "1",
    options: tuple[str, ...] = (),
    answer: str | None = "8",
    context: str | None = None,
) -> Sample:
    return Sample(
        source=source,
        source_id=source_id,
        context=context,
        query=query,
        options=options,
        pictures=tuple(map(_picture, pictures)),
        answer=answer,
        subject=Subject.MATHEMATICS,
        language=Language.ENGLISH,
        licence="MIT",
        attribution="test",
    )


def _hashes(samples: Iterable[Sample]) -> dict[str, int]:
    """Pictures far apart, but number 2 differs from number 1 in two bits only."""
    known = {_picture(number).sha256: random.Random(number).getrandbits(64) for number in range(1, 9)}
    known[_picture(2).sha256] = known[_picture(1).sha256] ^ 0b101
    return {picture.sha256: known[picture.sha256] for sample in samples for picture in sample.pictures}


def _are_duplicates(first: Sample, second: Sample) -> bool:
    return bool(find_duplicates([first, second], _hashes([first, second])))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(_sample(QUESTION, source="emma"), id="same text, same picture"),
        pytest.param(_sample(QUESTION, pictures=(2,), source="emma"), id="picture encoded again"),
        pytest.param(_sample(f"<image 1>\r\n{QUESTION.upper()} ", source="emma"), id="token, case and spacing"),
        pytest.param(_sample(QUESTION.replace("4 cm", r"$4 \mathrm{~cm}$"), source="emma"), id="LaTeX"),
        pytest.param(_sample(QUESTION[47:], context=QUESTION[:47], source="emma"), id="split into context and query"),
        pytest.param(_sample(f"{QUESTION} (Unit: cm)", source="mathvista"), id="unit added"),
        pytest.param(_sample(QUESTION, options=("8", "4"), source="emma"), id="options added"),
    ],
)
def test_copies_of_a_question_are_found(other: Sample) -> None:
    assert _are_duplicates(_sample(QUESTION), other)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(_sample(QUESTION, pictures=(3,), source="emma"), id="other picture"),
        pytest.param(_sample(QUESTION, pictures=(1, 3), source="emma"), id="one more picture"),
        pytest.param(_sample(QUESTION, pictures=(), source="emma"), id="no picture"),
        pytest.param(_sample("How long is the diagonal of the square?", source="emma"), id="other question"),
        pytest.param(_sample(QUESTION.replace("4 cm", "5 cm"), source="emma"), id="other number"),
        pytest.param(_sample(QUESTION.replace("shaded", "white"), source="emma"), id="word exchanged"),
        pytest.param(_sample(f"{QUESTION} (Unit: cm)", answer="16", source="emma"), id="near text, other answer"),
    ],
)
def test_other_questions_are_kept(other: Sample) -> None:
    assert not _are_duplicates(_sample(QUESTION), other)


def test_other_options_make_another_question() -> None:
    first = _sample(QUESTION, options=("1", "2", "8"))
    assert not _are_duplicates(first, _sample(QUESTION, options=("8", "12", "16"), source_id="2"))


def test_a_negation_makes_another_question() -> None:
    text = "Which of the labelled structures in the picture is part of the cell membrane of this plant cell?"
    other = _sample(text.replace("is part", "is not part"), source_id="2", answer=None)
    assert not _are_duplicates(_sample(text, answer=None), other)


def test_pictures_without_text_are_compared_as_pictures() -> None:
    samples = [_sample(None, (number,), "visual_genome", str(number), answer=None) for number in (1, 2, 3)]
    assert find_duplicates(samples, _hashes(samples)) == {samples[1].id: samples[0].id}


def test_the_row_of_the_first_publisher_is_kept_whatever_the_order() -> None:
    samples = [_sample(QUESTION, source=source) for source in ("emma", "mathvista", "math_vision")]
    kept = samples[2].id
    for seed in range(5):
        shuffled = random.Random(seed).sample(samples, 3)
        assert find_duplicates(shuffled, _hashes(samples)) == {samples[0].id: kept, samples[1].id: kept}


def test_a_question_of_the_build_that_a_run_adds_to_is_kept_whatever_its_publisher() -> None:
    standing, copy = _sample(QUESTION, source="emma"), _sample(QUESTION, pictures=(2,), source="math_vision")
    again, other = _sample(QUESTION, source="mathvista"), _sample(QUESTION, pictures=(3,), source="mathvista")
    hashes = _hashes([standing, copy, other])
    assert find_duplicates([copy, again, other], hashes, [standing]) == dict.fromkeys([copy.id, again.id], standing.id)


def _samples_only(found: list[SourceItem | Quarantined]) -> list[SourceItem]:
    return [item for item in found if isinstance(item, SourceItem)]


def test_real_emma_rows_taken_from_math_vision_are_found_after_encoding_again(real_items: RealItems) -> None:
    """The sample holds no pair of rows, only EMMA rows with MATH-Vision's own pictures: the other row of each pair is
    rebuilt in the form of MATH-Vision, with the picture encoded as JPEG once more."""
    emma = [item for item in _samples_only(real_items("emma")) if len(item.blobs) == 1]
    assert len(emma) > 30
    hashes = {fact.sha256: fact.perceptual_hash for item in emma for fact in item.facts}
    copies: dict[str, Sample] = {}
    for item in emma:
        buffer = io.BytesIO()
        Image.open(io.BytesIO(item.blobs[0].data)).convert("RGB").save(buffer, "JPEG", quality=90)
        blob, value = read_with_hash(buffer.getvalue())
        hashes[blob.picture.sha256] = value
        copies[item.sample.id] = item.sample.model_copy(update={"source": "math_vision", "pictures": (blob.picture,)})
    pool = [*copies.values(), *(item.sample for item in emma)]
    assert find_duplicates(pool, hashes) == {original: copy.id for original, copy in copies.items()}


def test_real_rows_of_one_text_or_one_picture_are_all_kept(real_items: RealItems) -> None:
    """MATH-Vision 179 and 419 share their text, MathVista 617 and 999 their picture."""
    items = _samples_only([*real_items("math_vision"), *real_items("mathvista")])
    assert {"179", "419"} <= {item.sample.source_id for item in items}
    hashes = {fact.sha256: fact.perceptual_hash for item in items for fact in item.facts}
    assert find_duplicates([item.sample for item in items], hashes) == {}
