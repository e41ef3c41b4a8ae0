"""Who judges what: balanced, stratified, and the same whatever the order."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.assignment import assign
from core.errors import ConfigurationError
from core.review import Assignment, ReviewPlan, Round
from core.taxonomy import Subtype

SUBTYPES = list(Subtype)
Item = tuple[str, Subtype]


def make_items(counts: list[int], first: int = 0) -> list[Item]:
    return [
        (f"cnd_{subtype}_{first + number}", subtype)
        for subtype, count in zip(SUBTYPES, counts, strict=False)
        for number in range(count)
    ]


def make_plan(annotators: int = 3, overlap: int = 2, share: float = 0.0, seed: int = 42) -> ReviewPlan:
    names = tuple(f"ann{number}" for number in range(annotators))
    return ReviewPlan(build="b", annotators=names, overlap=overlap, control_share=share, seed=seed)


def teams_of(dealt: list[Assignment]) -> dict[str, frozenset[str]]:
    members: dict[str, set[str]] = {}
    for found in dealt:
        members.setdefault(found.item, set()).add(found.annotator)
    return {item: frozenset(names) for item, names in members.items()}


@given(counts=st.lists(st.integers(0, 25), min_size=1, max_size=12), seed=st.integers(0, 5))
def test_two_of_three_judge_each_item_and_loads_differ_by_one_at_most(counts: list[int], seed: int) -> None:
    items = make_items(counts)

    dealt = assign(items, [], make_plan(seed=seed))

    teams = teams_of(dealt)
    assert set(teams) == {item for item, _ in items}
    assert all(len(team) == 2 for team in teams.values())
    loads = Counter(found.annotator for found in dealt)
    assert max(loads[f"ann{number}"] for number in range(3)) - min(loads[f"ann{number}"] for number in range(3)) <= 1


@given(counts=st.lists(st.integers(0, 25), min_size=1, max_size=12), annotators=st.integers(2, 5))
def test_every_pair_sees_all_subtypes_evenly(counts: list[int], annotators: int) -> None:
    items = make_items(counts)

    teams = teams_of(assign(items, [], make_plan(annotators)))

    pairs = [frozenset(pair) for pair in combinations([f"ann{number}" for number in range(annotators)], 2)]
    for subtype in SUBTYPES:
        seen = Counter(teams[item] for item, of in items if of is subtype)
        assert max(seen[pair] for pair in pairs) - min(seen[pair] for pair in pairs) <= 1


def test_the_order_of_the_items_does_not_matter() -> None:
    items, controls = make_items([7, 5, 9]), make_items([0, 0, 0, 2])
    plan = make_plan(share=0.1)

    assert assign(items[::-1], controls, plan) == assign(items, controls, plan)


def test_a_share_of_each_subtype_goes_to_all_three_whatever_the_order() -> None:
    items = make_items([300, 15, 7, 40])
    plan = make_plan(overlap=3).model_copy(update={"per_subtype": 15})

    teams = teams_of(assign(items, [], plan))

    subtypes = dict(items)
    assert Counter(subtypes[item] for item in teams) == dict(zip(SUBTYPES, (15, 15, 7, 15), strict=False))
    assert all(len(team) == 3 for team in teams.values())
    assert teams_of(assign(items[::-1], [], plan)) == teams
    assert set(teams_of(assign(items, [], plan.model_copy(update={"seed": 7})))) != set(teams)


def test_a_share_is_filled_up_from_what_came_and_never_exceeded() -> None:
    plan = make_plan().model_copy(update={"per_subtype": 15})
    old, more = make_items([10, 20]), make_items([30, 30])
    known = assign(old, [], plan)
    (first, second) = SUBTYPES[:2]

    new = assign(more, [], plan, known)

    assert Counter(dict(more)[item] for item in teams_of(new)) == {first: 5}
    gone = {item for item, of in old if of is second and item in teams_of(known)}
    stay = [found for found in known if found.item not in gone]
    left = [item for item in more if item[0] not in gone]
    assert Counter(dict(more)[item] for item in teams_of(assign(left, [], plan, stay))) == {first: 5, second: 15}


def test_another_seed_deals_otherwise() -> None:
    items = make_items([20])

    assert teams_of(assign(items, [], make_plan(seed=1))) != teams_of(assign(items, [], make_plan(seed=2)))


def test_new_items_keep_the_balance_and_leave_the_old_ones_where_they_are() -> None:
    old, new = make_items([7, 4]), make_items([6, 9, 5], first=100)
    plan = make_plan()
    known = assign(old, [], plan)

    more = assign([*old, *new], [], plan, known)

    assert {found.item for found in more} == {item for item, _ in new}
    loads = Counter(found.annotator for found in [*known, *more])
    assert max(loads.values()) - min(loads.values()) <= 1


def test_a_queue_mixes_subtypes() -> None:
    dealt = assign(make_items([30, 30, 30]), [], make_plan())

    first = [found.subtype for found in dealt if found.annotator == "ann0"][:15]

    assert len(set(first)) == 3


def test_controls_are_spread_over_each_queue_and_have_their_share() -> None:
    controls = [(f"ctl_{number}", SUBTYPES[number % 12]) for number in range(40)]

    dealt = assign(make_items([90]), controls, make_plan(share=0.1))

    for name in ("ann0", "ann1", "ann2"):
        queue = [found for found in dealt if found.annotator == name]
        places = [place for place, found in enumerate(queue) if found.control]
        assert len(places) == round(0.1 * 60 / 0.9)
        assert min(places) < 15
        assert max(places) > 45


def test_a_plan_that_grows_adds_only_the_controls_that_lack() -> None:
    controls = [(f"ctl_{number}", SUBTYPES[0]) for number in range(40)]
    plan = make_plan(share=0.1)
    known = assign(make_items([45]), controls, plan)

    more = assign(make_items([90]), controls, plan, known)

    queue = [found.item for found in [*known, *more] if found.control and found.annotator == "ann1"]
    assert len(queue) == len(set(queue)) == round(0.1 * 60 / 0.9)


def test_known_second_rounds_count_for_no_load() -> None:
    second = [
        Assignment(item=f"cnd_x{number}", subtype=SUBTYPES[0], round=Round.ADJUDICATION, annotator="ann0")
        for number in range(30)
    ]

    loads = Counter(found.annotator for found in assign(make_items([30]), [], make_plan(), second))

    assert set(loads.values()) == {20}


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (make_plan(2, 3), "3 verdicts an item are asked of 2 annotators"),
        (ReviewPlan(build="b", annotators=("a", "a")), "named twice: a, a"),
    ],
    ids=["too-few", "twice"],
)
def test_a_plan_that_cannot_be_is_refused(plan: ReviewPlan, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        assign(make_items([3]), [], plan)
