"""No input twice, and no more of a subtype than is wanted; the first in order wins."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Flaw, FlawedSample, Picture, Stage, TextPart, TextRemoval
from core.taxonomy import Subtype
from filters.base import DropReason
from filters.deduplication import Contender, make_contender, select

ENOUGH = dict.fromkeys(Subtype, 1000)


def candidate(
    number: int, query: str | None = "What?", pictures: tuple[int, ...] = (1,), subtype: Subtype = Subtype.AMBIGUITY
) -> FlawedSample:
    flaw = Flaw(
        subtype=subtype,
        generator="rules",
        injector_version=1,
        edits=(TextRemoval(part=TextPart.CONTEXT),),
        explanation="test",
    )
    return FlawedSample(
        parent=f"smp_{number}",
        context=None,
        query=query,
        pictures=tuple(Picture(sha256=f"{n:064x}", media_type="image/png", width=9, height=9) for n in pictures),
        flaws=(flaw,),
    )


def contenders(candidates: Iterable[FlawedSample]) -> list[Contender]:
    """Pictures 1 and 11 look alike."""
    looks = {f"{number:064x}": f"look {number % 10}" for number in (1, 2, 11)}
    return [make_contender(found, looks) for found in candidates]


def reasons(candidates: list[FlawedSample], targets: dict[Subtype, int] = ENOUGH) -> list[str | None]:
    decisions = select(contenders(candidates), targets)
    assert [decision.item for decision in decisions] == [item.id for item in candidates]
    assert {decision.stage for decision in decisions} <= {Stage.SELECT}
    return [decision.reason for decision in decisions]


def test_two_questions_on_one_picture_without_their_text_are_one_input() -> None:
    pair = [candidate(number, query=None, subtype=Subtype.MISSING_INSTRUCTION) for number in (1, 2)]
    decisions = select(contenders(pair), ENOUGH)
    assert [decision.keep for decision in decisions] == [True, False]
    assert decisions[1].reason == DropReason.DUPLICATE
    assert pair[0].id in decisions[1].evidence


def test_two_questions_whose_text_was_removed_from_pictures_that_look_alike_are_nearly_one_input() -> None:
    pair = [candidate(1, None), candidate(2, None, (11,))]
    decisions = select(contenders(pair), ENOUGH)
    assert [decision.reason for decision in decisions] == [None, DropReason.NEAR_DUPLICATE]
    assert pair[0].id in decisions[1].evidence


def test_pictures_that_look_alike_with_other_texts_and_the_reverse_are_two_inputs() -> None:
    assert reasons([candidate(1), candidate(2, "Who?", (11,)), candidate(3, "Who?", (2,))]) == [None, None, None]


def test_what_stands_in_the_build_is_kept_before_all_and_is_no_duplicate_when_it_is_made_again() -> None:
    standing, near, same = candidate(1), candidate(2, pictures=(11,)), candidate(3)
    other, unjudged = candidate(4, "Who?"), candidate(5)
    decisions = select(
        contenders([near, same, standing, other]), ENOUGH, contenders([unjudged, standing]), contenders([standing])
    )
    assert [(decision.item, decision.reason) for decision in decisions] == [
        (near.id, DropReason.NEAR_DUPLICATE),
        (same.id, DropReason.DUPLICATE),
        (standing.id, None),
        (other.id, None),
        (unjudged.id, DropReason.DUPLICATE),
    ]


@pytest.mark.parametrize(
    "query", ["what?", " What ? ", "Ｗhat？", "What?\n"], ids=["case", "spaces", "wide characters", "line end"]
)
def test_a_text_that_differs_only_in_form_is_the_same(query: str) -> None:
    assert reasons([candidate(1), candidate(2, query)]) == [None, DropReason.DUPLICATE]


def test_the_same_input_under_another_subtype_is_a_duplicate() -> None:
    assert reasons([candidate(1), candidate(2, subtype=Subtype.UNCLEAR_INTENT)]) == [None, DropReason.DUPLICATE]


@pytest.mark.parametrize(
    "other",
    [candidate(2, pictures=(2,)), candidate(2, pictures=()), candidate(2, "What of 1.5?"), candidate(2, None)],
    ids=["other picture", "no picture", "other text", "no text"],
)
def test_inputs_that_differ_are_both_kept(other: FlawedSample) -> None:
    assert reasons([candidate(1), other]) == [None, None]


def test_a_question_is_taken_once_with_each_second_flaw_and_a_surplus_does_not_take_it() -> None:
    def dual(number: int, first: Subtype, second: Subtype = Subtype.AMBIGUITY) -> FlawedSample:
        one, other = candidate(number, f"{first} {second}?", subtype=first), candidate(number, subtype=second)
        return one.model_copy(update={"flaws": (*one.flaws, *other.flaws)})

    light, severe = Subtype.LIGHT_MISSING_VISUAL_PREMISE, Subtype.SEVERE_MISSING_VISUAL_PREMISE
    four = [dual(1, light), dual(1, severe), dual(1, severe, Subtype.MISMATCH), dual(2, severe)]
    assert reasons(four) == [None, DropReason.QUESTION_TAKEN, None, None]
    assert reasons(four[:2], {light: 0, severe: 1}) == [DropReason.OVER_TARGET, None]


def test_the_order_of_pictures_counts() -> None:
    assert reasons([candidate(1, pictures=(1, 2)), candidate(2, pictures=(2, 1))]) == [None, None]


def test_a_full_subtype_takes_no_more() -> None:
    four = [candidate(number, f"What {number}?") for number in range(4)]
    assert reasons(four, {Subtype.AMBIGUITY: 2}) == [None, None, DropReason.OVER_TARGET, DropReason.OVER_TARGET]


def test_a_duplicate_takes_no_place() -> None:
    three = [candidate(1), candidate(2), candidate(3, "Who?")]
    assert reasons(three, {Subtype.AMBIGUITY: 2}) == [None, DropReason.DUPLICATE, None]


def test_what_was_dropped_as_surplus_blocks_nobody() -> None:
    surplus = candidate(2, "Who?")
    same = candidate(3, "Who?", subtype=Subtype.UNCLEAR_INTENT)
    targets = {Subtype.AMBIGUITY: 1, Subtype.UNCLEAR_INTENT: 1}
    assert reasons([candidate(1), surplus, same], targets) == [None, DropReason.OVER_TARGET, None]


def test_a_subtype_that_the_recipe_does_not_name_is_not_wanted() -> None:
    assert reasons([candidate(1)], {}) == [DropReason.OVER_TARGET]


@given(
    st.lists(
        st.builds(
            candidate,
            number=st.integers(0, 50),
            query=st.sampled_from(["a", "A", "b", "c d", "cd", None]),
            pictures=st.sampled_from([(), (1,), (2,)]),
            subtype=st.sampled_from(list(Subtype)[:3]),
        ),
        max_size=20,
    ),
    st.integers(0, 4),
)
def test_kept_inputs_differ_and_no_subtype_passes_its_target(candidates: list[FlawedSample], target: int) -> None:
    decisions = select(contenders(candidates), dict.fromkeys(Subtype, target))
    kept = [item for item, decision in zip(candidates, decisions, strict=True) if decision.keep]
    shown = [((item.query or "").replace(" ", "").lower(), item.pictures) for item in kept]
    assert len(set(shown)) == len(shown)
    assert all(count <= target for count in Counter(item.subtype for item in kept).values())
    assert len(decisions) == len(candidates)
