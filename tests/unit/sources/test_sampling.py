"""The stratified choice: its shares, its independence of order, and what it says when a stratum is empty."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ConfigurationError
from core.recipe import SamplingRecipe
from core.records import Language, Picture, Sample, Subject
from sources.sampling import choose

PICTURES = tuple(Picture(sha256=f"{number:064x}", media_type="image/png", width=100, height=100) for number in range(3))
PHYSICS, CHEMISTRY, MATHEMATICS = Subject.PHYSICS, Subject.CHEMISTRY, Subject.MATHEMATICS


def _sample(number: int, subject: Subject, source: str, pictures: int) -> Sample:
    return Sample(
        source=source,
        source_id=str(number),
        context=None,
        query=f"What is the value of number {number}?",
        pictures=PICTURES[:pictures],
        subject=subject,
        language=Language.ENGLISH,
        licence="CC0-1.0",
        attribution="test",
    )


def _pool(each: int, subjects: tuple[Subject, ...] = (PHYSICS, CHEMISTRY, MATHEMATICS)) -> list[Sample]:
    """`each` questions in every stratum of the subjects, sources a and b, and 0, 1 and 2 pictures."""
    cells = [(subject, source, count) for subject in subjects for source in ("a", "b") for count in (0, 1, 2)]
    return [_sample(number, *cell) for cell in cells for number in range(each)]


def _counts(pool: list[Sample], chosen: tuple[str, ...]) -> dict[str, Counter[str]]:
    taken = [sample for sample in pool if sample.id in set(chosen)]
    return {
        "subjects": Counter(sample.subject.value for sample in taken),
        "sources": Counter(sample.source for sample in taken),
        "pictures": Counter("2+" if len(sample.pictures) > 1 else str(len(sample.pictures)) for sample in taken),
    }


def test_without_a_total_all_are_chosen() -> None:
    pool = _pool(2)
    outcome = choose(pool, SamplingRecipe(subjects={PHYSICS: 0.9}), seed=1)
    assert sorted(outcome.chosen) == sorted(sample.id for sample in pool)
    assert outcome.shortfalls == ()


def test_unnamed_strata_get_equal_parts() -> None:
    pool = _pool(20)
    outcome = choose(pool, SamplingRecipe(total=90), seed=1)
    counts = _counts(pool, outcome.chosen)
    assert set(counts["subjects"].values()) == {30}
    assert set(counts["sources"].values()) == {45}
    assert set(counts["pictures"].values()) == {30}
    assert outcome.shortfalls == ()


def test_named_shares_are_kept_and_the_rest_is_divided() -> None:
    pool = _pool(40)
    recipe = SamplingRecipe(total=100, subjects={PHYSICS: 0.6}, sources={"a": 0.25}, pictures={"1": 0.5, "2+": 0.3})
    outcome = choose(pool, recipe, seed=7)
    assert _counts(pool, outcome.chosen) == {
        "subjects": {"physics": 60, "chemistry": 20, "mathematics": 20},
        "sources": {"a": 25, "b": 75},
        "pictures": {"0": 20, "1": 50, "2+": 30},
    }
    assert outcome.shortfalls == ()


def test_an_odd_total_is_divided_by_largest_remainder() -> None:
    pool = _pool(10)
    counts = _counts(pool, choose(pool, SamplingRecipe(total=10), seed=1).chosen)
    assert sorted(counts["subjects"].values()) == [3, 3, 4]
    assert counts["subjects"]["chemistry"] == 4


def test_a_stratum_that_is_too_small_is_reported_and_made_up_for() -> None:
    pool = [*_pool(30, (PHYSICS, CHEMISTRY)), *(_sample(number, MATHEMATICS, "a", 1) for number in range(5))]
    outcome = choose(pool, SamplingRecipe(total=90, subjects={MATHEMATICS: 0.5}), seed=3)
    assert len(outcome.chosen) == 90
    assert _counts(pool, outcome.chosen)["subjects"]["mathematics"] == 5
    assert [(short.axis, short.value, short.wanted, short.got) for short in outcome.shortfalls] == [
        ("subjects", "mathematics", 45, 5)
    ]
    assert "give 5 such" in outcome.shortfalls[0].reason


def test_a_named_source_that_gives_nothing_is_reported() -> None:
    outcome = choose(_pool(10), SamplingRecipe(total=20, sources={"absent": 0.4}), seed=3)
    assert len(outcome.chosen) == 20
    assert [(short.value, short.wanted, short.got) for short in outcome.shortfalls] == [("absent", 8, 0)]


def test_a_source_of_one_subject_only_does_not_spoil_the_subjects() -> None:
    """As in the real pool: MATH-Vision holds mathematics with one picture and nothing else."""
    pool = [*_pool(20), *(_sample(number, MATHEMATICS, "only", 1) for number in range(100))]
    outcome = choose(pool, SamplingRecipe(total=90), seed=5)
    counts = _counts(pool, outcome.chosen)
    assert counts["sources"] == {"a": 30, "b": 30, "only": 30}
    assert counts["subjects"] == {"physics": 30, "chemistry": 30, "mathematics": 30}
    assert counts["pictures"] == {"0": 30, "1": 30, "2+": 30}


def test_more_than_there_is_gives_all_and_says_so() -> None:
    pool = _pool(1)
    outcome = choose(pool, SamplingRecipe(total=50), seed=3)
    assert len(outcome.chosen) == len(pool) == 18
    assert outcome.shortfalls[0][:4] == ("total", "all", 50, 18)


def test_shares_above_one_are_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match=r"sampling\.sources.*1\.3"):
        choose(_pool(1), SamplingRecipe(total=5, sources={"a": 0.7, "b": 0.6}), seed=1)


def test_an_empty_pool_gives_nothing() -> None:
    assert choose([], SamplingRecipe(total=5), seed=1).chosen == ()


def test_another_seed_gives_another_choice_of_the_same_shape() -> None:
    pool = _pool(20)
    first, second = (choose(pool, SamplingRecipe(total=90), seed).chosen for seed in (1, 2))
    assert set(first) != set(second)
    assert _counts(pool, first) == _counts(pool, second)


sizes = st.lists(st.integers(0, 6), min_size=18, max_size=18)
shares = st.one_of(st.none(), st.floats(0.05, 0.5))


@given(sizes=sizes, total=st.integers(1, 60), physics=shares, one=shares, seed=st.integers(0, 99))
def test_the_choice_depends_on_content_alone_and_fills_the_total(
    sizes: list[int], total: int, physics: float | None, one: float | None, seed: int
) -> None:
    subjects = (PHYSICS, CHEMISTRY, MATHEMATICS)
    cells = [(subject, source, count) for subject in subjects for source in ("a", "b") for count in (0, 1, 2)]
    pool = [_sample(number, *cell) for cell, size in zip(cells, sizes, strict=True) for number in range(size)]
    recipe = SamplingRecipe(
        total=total,
        subjects={PHYSICS: physics} if physics else {},
        pictures={"1": one} if one else {},
    )
    outcome = choose(pool, recipe, seed)
    assert len(outcome.chosen) == len(set(outcome.chosen)) == min(total, len(pool))
    assert set(outcome.chosen) <= {sample.id for sample in pool}
    assert all(short.got < short.wanted for short in outcome.shortfalls)
    shuffled = random.Random(seed).sample(pool, len(pool))
    assert choose([*shuffled, *pool], recipe, seed) == outcome
