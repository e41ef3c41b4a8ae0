import pytest

from core.recipe import Recipe
from core.taxonomy import Subtype
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.runs import RunInfo

FIRST = [Member("cnd_b", Subtype.AMBIGUITY, 0), Member("cnd_a", Subtype.MISMATCH, 1)]
SECOND = [Member("cnd_a", Subtype.MISMATCH, 0), Member("cnd_c", None, 1)]


def test_members_come_back_in_the_order_of_their_rank(lineage: Lineage) -> None:
    lineage.set_members("b", ItemKind.CANDIDATE, reversed(FIRST), replace=False)

    assert lineage.members("b", ItemKind.CANDIDATE) == FIRST
    assert lineage.members("b", ItemKind.SAMPLE) == []
    assert lineage.members("other", ItemKind.CANDIDATE) == []


def test_replacing_leaves_exactly_the_new_members(lineage: Lineage) -> None:
    lineage.set_members("b", ItemKind.CANDIDATE, FIRST, replace=True)
    lineage.set_members("other", ItemKind.CANDIDATE, FIRST, replace=True)
    lineage.set_members("b", ItemKind.SAMPLE, FIRST, replace=True)

    lineage.set_members("b", ItemKind.CANDIDATE, SECOND, replace=True)

    assert lineage.members("b", ItemKind.CANDIDATE) == SECOND
    assert lineage.members("other", ItemKind.CANDIDATE) == FIRST
    assert lineage.members("b", ItemKind.SAMPLE) == FIRST


def test_adding_keeps_what_is_there(lineage: Lineage) -> None:
    lineage.set_members("b", ItemKind.CANDIDATE, FIRST, replace=False)

    lineage.set_members("b", ItemKind.CANDIDATE, SECOND, replace=False)

    assert lineage.members("b", ItemKind.CANDIDATE) == [FIRST[0], FIRST[1], SECOND[1]]


def test_an_item_given_twice_is_one_member(lineage: Lineage) -> None:
    lineage.set_members("b", ItemKind.CANDIDATE, [*FIRST, *FIRST], replace=True)

    assert lineage.members("b", ItemKind.CANDIDATE) == FIRST


@pytest.mark.parametrize("replace", [True, False], ids=["replace", "add"])
def test_no_items_are_legal(replace: bool, lineage: Lineage) -> None:
    lineage.set_members("b", ItemKind.CANDIDATE, FIRST, replace=True)

    lineage.set_members("b", ItemKind.CANDIDATE, [], replace=replace)

    assert lineage.members("b", ItemKind.CANDIDATE) == ([] if replace else FIRST)


def test_builds_are_listed_with_what_they_hold(filled: Lineage) -> None:
    (build,) = filled.builds()

    assert (build.build, build.runs, build.samples, build.candidates, build.decisions, build.releases) == (
        "small",
        1,
        4,
        2,
        23,
        1,
    )
    assert build.outcome == "completed"


def test_a_name_without_a_finished_run_has_no_makers_and_a_build_has(
    lineage: Lineage, recipe: Recipe, run: RunInfo
) -> None:
    lineage.add_recipe(recipe)
    lineage.start_run(run)
    lineage.start_run(run.model_copy(update={"build": "killed"}))
    lineage.set_members("small", ItemKind.RECIPE, [Member(recipe.id, None, 0)], replace=True)

    assert {found.build: (found.models, found.panel) for found in lineage.builds()} == {
        "small": ("rules", "no panel"),
        "killed": (None, None),
    }
