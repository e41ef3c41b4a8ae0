"""No picture and no premise is in two splits, nothing is taken twice, and shares are kept as far as that lets them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.likeness import MAX_BITS
from core.premises import Premise, PremiseQuestion, Split
from core.records import Language
from core.taxonomy import PremiseSubtype
from filters.premise_splits import PremiseItem, Shares, group_pictures, select_premises

KIND = PremiseSubtype.SCENE
HALF = Shares(0.5, 0.25, 0.25)


def make_pair(picture: int, premise: str, number: int = 0) -> PremiseItem:
    """About the sample `smp_PICTURE`."""
    caption = f"It shows {premise} and more."
    shown = Premise(subtype=KIND, text=premise, caption=caption, start=9)
    return tuple(
        PremiseQuestion(
            sample=f"smp_{picture}",
            premise=shown,
            label=label,
            question=f"With {premise if label else 'another'} {picture}/{number}, what else is there?",
            stated=premise if label else "another",
            start=5,
            replacement="another",
            pair=f"prp_{picture}_{number}_{premise}",
            language=Language.ENGLISH,
            generator="rules",
            injector_version=1,
        )
        for label in (True, False)
    )


def select(items: list[PremiseItem], target: int = 1000, shares: Shares = HALF) -> dict[str, Split]:
    groups = {item[0].sample: item[0].sample for item in items}
    return dict(select_premises(items, groups, {(KIND, None): target}, shares).splits)


@given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from("abcdefgh")), max_size=60))
def test_no_picture_and_no_premise_is_in_two_splits(drawn: list[tuple[int, str]]) -> None:
    items = [make_pair(picture, premise, number) for number, (picture, premise) in enumerate(drawn)]
    splits = select(items)
    taken = [item for item in items if item[0].id in splits]
    for place in (lambda item: item[0].sample, lambda item: item[0].premise.text):
        found: dict[str, set[Split]] = {}
        for item in taken:
            found.setdefault(place(item), set()).update(splits[question.id] for question in item)
        assert all(len(places) == 1 for places in found.values())


def test_shares_are_kept_where_nothing_binds() -> None:
    splits = select([make_pair(number, f"thing {number}") for number in range(200)], shares=Shares(0.4, 0.42, 0.18))
    counts = Counter(splits.values())
    assert counts == {Split.TEST: 160, Split.SFT: 168, Split.GRPO: 72}


def test_a_premise_that_most_pictures_show_does_not_pull_all_into_one_split() -> None:
    items = [make_pair(number, "a man" if number % 2 else f"thing {number}") for number in range(200)]
    splits = select(items)
    counts = Counter(splits.values())
    assert min(counts.values()) >= 40
    assert len(splits) == 400


def test_an_item_whose_picture_and_premise_are_in_two_splits_is_dropped_with_that_reason() -> None:
    items = [make_pair(1, "a"), make_pair(2, "b"), make_pair(1, "b", 1)]
    groups = {item[0].sample: item[0].sample for item in items}
    last = select_premises(items, groups, {(KIND, None): 9}, HALF).decisions[-1]
    assert (last.keep, last.reason) == (False, "premise_in_another_split")


def test_pictures_that_look_alike_count_as_one() -> None:
    alike = group_pictures({"a": 0, "b": 0b1111, "c": 0b11111111, "d": 2**63 - 1})
    assert alike["a"] == alike["b"] == alike["c"]
    assert alike["d"] != alike["a"]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=8), st.integers(0, 2**64 - 1))
def test_near_pictures_are_found_wherever_their_bits_differ(values: list[int], flips: int) -> None:
    mask = sum(1 << place for place in sorted({flips >> shift & 63 for shift in range(0, 6 * MAX_BITS, 6)}))
    hashes = {f"p{number}": value for number, value in enumerate(values)} | {"near": values[0] ^ mask}
    groups = group_pictures(hashes)
    assert groups["near"] == groups["p0"]


@pytest.mark.parametrize("target", [0, 3])
def test_no_more_are_taken_than_wanted(target: int) -> None:
    items = [make_pair(number, f"thing {number}") for number in range(6)]
    groups = {item[0].sample: item[0].sample for item in items}
    selection = select_premises(items, groups, {(KIND, None): target}, HALF)
    assert len(selection.splits) == 2 * target
    assert Counter(found.reason for found in selection.decisions)["over_target"] == 6 - target


def test_a_question_is_taken_once() -> None:
    twin = tuple(question.model_copy(update={"sample": "smp_2"}) for question in make_pair(1, "a"))
    items = [make_pair(1, "a"), twin]
    decisions = select_premises(items, {"smp_1": "x", "smp_2": "y"}, {(KIND, None): 9}, HALF).decisions
    assert [found.reason for found in decisions] == [None, "duplicate_of_another_candidate"]
