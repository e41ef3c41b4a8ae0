"""Mismatch: as many pictures of another subject, and no donor twice before all that fit were used (M-15)."""

import random
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Language, Picture, PictureReplacement, Sample, Subject
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.mismatch import MIN_HASH_DISTANCE, MISMATCH, assign_donors

SUBJECTS = list(Subject)


def picture(number: int) -> Picture:
    return Picture(sha256=f"{number:064x}", media_type="image/png", width=20, height=20)


def make_sample(number: int, subject: Subject = Subject.MATHEMATICS, count: int = 1, **changes: Any) -> Sample:
    values: dict[str, Any] = {
        "source": "test",
        "source_id": str(number),
        "context": None,
        "query": "What is shown in the figure?",
        "pictures": tuple(picture(10 * number + index) for index in range(count)),
        "subject": subject,
        "language": Language.ENGLISH,
        "licence": "CC0",
        "attribution": "test",
    }
    return Sample.model_validate(values | changes)


def hashes_of(samples: list[Sample]) -> dict[str, int]:
    """Far apart for all pictures but with a negligible chance: 64 random bits each."""
    shas = {item.sha256 for sample in samples for item in sample.pictures}
    return {sha: random.Random(sha).getrandbits(64) for sha in shas}


def context(donor: Sample | None) -> InjectionContext:
    return InjectionContext(random.Random(1), lambda _: np.zeros(0, np.uint8), donor=donor)


def test_all_pictures_are_replaced_and_the_text_stays() -> None:
    sample, donor = make_sample(1, count=3), make_sample(2, Subject.BIOLOGY_MEDICINE, count=3)
    result = MISMATCH.apply(sample, context(donor))
    assert isinstance(result, Injection)
    candidate = result.candidate
    assert candidate.pictures == donor.pictures
    assert (candidate.context, candidate.query, candidate.options) == (sample.context, sample.query, sample.options)
    assert candidate.flaws[0].edits == tuple(
        PictureReplacement(index=index, before=sample.pictures[index], after=donor.pictures[index], donor=donor.id)
        for index in range(3)
    )
    assert "mathematics" in candidate.flaws[0].explanation
    assert "biology medicine" in candidate.flaws[0].explanation


@pytest.mark.parametrize(
    ("sample", "donor", "reason"),
    [
        (make_sample(1, count=0), make_sample(2, Subject.PHYSICS, 0), RejectionReason.NO_PICTURE),
        (
            make_sample(1, question_in_picture=True),
            make_sample(2, Subject.PHYSICS),
            RejectionReason.QUESTION_IN_PICTURE,
        ),
        (make_sample(1, query=" "), make_sample(2, Subject.PHYSICS), RejectionReason.NO_TEXT),
        (
            make_sample(1, query="What is 1 + 1?"),
            make_sample(2, Subject.PHYSICS),
            RejectionReason.TEXT_DOES_NOT_NEED_PICTURE,
        ),
        (make_sample(1), None, RejectionReason.NO_DONOR),
        (make_sample(1), make_sample(2), RejectionReason.NO_DONOR),
        (make_sample(1), make_sample(2, Subject.PHYSICS, 2), RejectionReason.NO_DONOR),
        (make_sample(1), make_sample(2, Subject.PHYSICS, question_in_picture=True), RejectionReason.NO_DONOR),
        (make_sample(1), make_sample(2, Subject.PHYSICS, pictures=(picture(10),)), RejectionReason.NO_DONOR),
    ],
    ids=[
        "no picture",
        "question in picture",
        "no text",
        "decorative picture",
        "no donor",
        "same subject",
        "other number",
        "donor asks a question",
        "same picture",
    ],
)
def test_what_cannot_become_a_mismatch_is_refused(
    sample: Sample, donor: Sample | None, reason: RejectionReason
) -> None:
    result = MISMATCH.apply(sample, context(donor))
    assert isinstance(result, Rejection)
    assert result.reason is reason


POOLS = st.lists(
    st.builds(
        make_sample,
        number=st.integers(0, 60),
        subject=st.sampled_from(SUBJECTS[:4]),
        count=st.integers(1, 3),
        question_in_picture=st.booleans(),
    ),
    max_size=25,
)


@given(pool=POOLS, seed=st.integers(0, 5), shuffle=st.randoms(use_true_random=False))
def test_donors_depend_on_the_samples_and_not_on_their_order(
    pool: list[Sample], seed: int, shuffle: random.Random
) -> None:
    hashes = hashes_of(pool)
    shuffled = [*pool, *pool[:3]]
    shuffle.shuffle(shuffled)
    assert assign_donors(pool, pool, hashes, seed) == assign_donors(shuffled, shuffled, hashes, seed)


@given(pool=POOLS, seed=st.integers(0, 5))
def test_every_assigned_donor_is_accepted_by_the_injector(pool: list[Sample], seed: int) -> None:
    donors = assign_donors(pool, pool, hashes_of(pool), seed)
    for sample in pool:
        donor = donors.get(sample.id)
        result = MISMATCH.apply(sample, context(donor))
        assert isinstance(result, Injection) is (donor is not None)


@given(takers=st.integers(1, 30), givers=st.integers(1, 12), seed=st.integers(0, 9))
def test_no_donor_is_used_again_before_all_that_fit_were_used(takers: int, givers: int, seed: int) -> None:
    samples = [make_sample(number) for number in range(takers)]
    pool = [make_sample(100 + number, Subject.CHEMISTRY) for number in range(givers)]
    donors = assign_donors(samples, pool, hashes_of(samples + pool), seed)
    uses = Counter(donor.id for donor in donors.values())
    assert len(donors) == takers
    assert len(uses) == min(takers, givers)
    assert max(uses.values()) - min(uses.values()) <= 1


def test_a_picture_that_two_donors_share_counts_for_both() -> None:
    samples = [make_sample(number) for number in range(3)]
    twin = {"pictures": (picture(999),)}
    pool = [make_sample(100, Subject.PHYSICS, **twin), make_sample(101, Subject.PHYSICS, **twin)]
    pool += [make_sample(102, Subject.PHYSICS), make_sample(103, Subject.PHYSICS)]
    donors = assign_donors(samples, pool, hashes_of(samples + pool), 1)
    uses = Counter(item.sha256 for donor in donors.values() for item in donor.pictures)
    assert set(uses.values()) == {1}


@pytest.mark.parametrize(("distance", "found"), [(MIN_HASH_DISTANCE - 1, False), (MIN_HASH_DISTANCE, True)])
def test_a_picture_that_looks_alike_is_no_donor(distance: int, found: bool) -> None:
    sample, donor = make_sample(1), make_sample(2, Subject.PHYSICS)
    hashes = {sample.pictures[0].sha256: 0, donor.pictures[0].sha256: (1 << distance) - 1}
    assert bool(assign_donors([sample], [donor], hashes, 1)) is found


def test_five_thousand_samples_are_planned_in_seconds_of_the_processor() -> None:
    subjects = random.Random(1).choices(SUBJECTS, weights=[20, *[1] * 8], k=5000)
    samples = [make_sample(number, subject, 1 + number % 3) for number, subject in enumerate(subjects)]
    hashes = hashes_of(samples)
    start = time.process_time()
    donors = assign_donors(samples, samples, hashes, 1)
    assert len(donors) == 5000
    assert time.process_time() - start < 10
