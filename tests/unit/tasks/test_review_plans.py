"""A review of the starter set: everybody's queue, the control items in it, and what planning again changes."""

import shutil
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.records import Flaw, FlawedSample, TextPart, TextRemoval
from core.review import Judged, Judgement, ReviewPlan, ReviewProject, Round
from core.settings import load_settings
from core.taxonomy import Subtype
from storage.membership import ItemKind, Member
from storage.parts import PartInfo, make_part
from storage.rows import candidate_rows
from tasks.review_plans import plan_review, replace_annotator
from tasks.review_reports import review_agreement, review_outcomes, review_status
from tasks.review_store import open_reviews, planned
from tasks.stores import open_lineage

NAMES = ("ann1", "ann2", "ann3")


PLAN = ReviewPlan(build="b", annotators=NAMES, control_share=0.2)


def make_candidate(number: int) -> FlawedSample:
    flaw = Flaw(
        subtype=Subtype.MISSING_INSTRUCTION if number % 2 else Subtype.UNCLEAR_INTENT,
        generator="rules",
        injector_version=1,
        edits=(TextRemoval(part=TextPart.QUERY),),
        explanation="Nothing is asked.",
    )
    return FlawedSample(parent=f"smp_{number}", context=f"A box with {number} balls.", query=None, flaws=(flaw,))


def store_build(candidates: list[FlawedSample]) -> None:
    lineage = open_lineage(load_settings())
    info = PartInfo.model_validate(
        {
            "key": f"{len(candidates):064x}",
            "stage": "inject",
            "run_id": "run_1",
            "code_commit": "c",
            "started": "2026-01-02T00:00:00Z",
            "seconds": 0,
        }
    )
    lineage.ingest([make_part(info, [row for candidate in candidates for row in candidate_rows(candidate)])])
    members = [Member(candidate.id, candidate.subtype, rank) for rank, candidate in enumerate(candidates)]
    lineage.set_members("b", ItemKind.CANDIDATE, members, replace=True)


def push(annotator: str) -> None:
    project = ReviewProject(
        build="b", round=Round.FIRST, annotator=annotator, url="http://127.0.0.1", project=1, user=1, screen_sha=""
    )
    open_reviews(load_settings()).store_project(project)


def judge(item: str, annotator: str) -> None:
    verdict = Judgement(
        item=item,
        round=Round.FIRST,
        annotator=annotator,
        type_compliance=Judged.PASS,
        unanswerability=Judged.PASS,
        project=1,
        task=1,
        annotation=1,
        content_sha="",
        screen_sha="",
        created="2026-01-02T00:00:00+00:00",
        updated="2026-01-02T00:00:00+00:00",
    )
    reviews = open_reviews(load_settings())
    project = next(found for found in reviews.projects("b") if found.annotator == annotator)
    reviews.store_pull(project, [verdict], [item])


@pytest.fixture(scope="module")
def candidates() -> list[FlawedSample]:
    """Thirty, of which the last ten join the build later."""
    return [make_candidate(number) for number in range(30)]


@pytest.fixture(scope="module")
def stored(candidates: list[FlawedSample], tmp_path_factory: pytest.TempPathFactory) -> Generator[Path, None, None]:
    """A lineage file with the build, which no test writes to, beside the pictures of the control items of all."""
    folder = tmp_path_factory.mktemp("review")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLAWBENCH_DATA", str(folder))
        patch.setenv("FLAWBENCH_OBJECTS", str(folder / "objects"))
        store_build(candidates[:20])
        yield folder / "lineage.duckdb"


@pytest.fixture(scope="module")
def pushed(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another, in which the review is planned and one annotator has a project."""
    folder = tmp_path_factory.mktemp("pushed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLAWBENCH_DATA", str(folder))
        file = shutil.copyfile(stored, folder / stored.name)
        plan_review(PLAN)
        push("ann1")
    return file


@pytest.fixture(autouse=True)
def data(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copyfile(stored, tmp_path / stored.name)
    monkeypatch.setenv("FLAWBENCH_DATA", str(tmp_path))


@pytest.fixture
def under_way(pushed: Path, tmp_path: Path) -> None:
    shutil.copyfile(pushed, tmp_path / pushed.name)


def test_each_candidate_has_two_annotators_and_controls_are_no_items_of_the_build(
    candidates: list[FlawedSample],
) -> None:
    summary = plan_review(PLAN)

    assignments = open_reviews(load_settings()).assignments("b")
    asked = [found.item for found in assignments if not found.control]
    assert sorted(asked) == sorted([candidate.id for candidate in candidates[:20]] * 2)
    assert summary.candidates == 20
    assert summary.controls > 0
    controls = {found.item for found in assignments if found.control}
    assert controls == set(open_reviews(load_settings()).controls("b"))
    assert not controls & {candidate.id for candidate in candidates[:20]}


def test_planned_again_nothing_is_new_and_a_grown_build_deals_only_what_came(candidates: list[FlawedSample]) -> None:
    plan_review(PLAN)
    before = open_reviews(load_settings()).assignments("b")

    assert plan_review(PLAN).new == 0
    store_build(candidates)
    plan_review(PLAN)

    after = open_reviews(load_settings()).assignments("b")
    assert after[: len(before)] == before
    assert {found.item for found in after if not found.control} == {candidate.id for candidate in candidates}


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"build": "c"}, "no build 'c'"),
        ({"annotators": ("ann1", "ann2")}, "ann3 already have items"),
        ({"overlap": 3}, "dealt with --overlap 2 .* with 3"),
        ({"seed": 7}, "dealt with --seed 42 .* with 7"),
        ({"control_share": 0.5}, "dealt with --controls 0.2 .* with 0.5"),
        ({"per_subtype": 5}, "dealt without --per-subtype"),
    ],
    ids=["no-build", "annotator-left-out", "other-overlap", "other-seed", "other-controls", "a-share"],
)
@pytest.mark.usefixtures("under_way")
def test_a_plan_that_breaks_what_was_dealt_is_refused(other: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        plan_review(PLAN.model_copy(update=other))


def test_a_plan_of_which_nothing_was_pushed_is_replaced_as_a_whole() -> None:
    plan_review(ReviewPlan(build="b", annotators=NAMES, control_share=0.5))
    other = ReviewPlan(build="b", annotators=("ann1", "ann2", "ann9", "ann8"), overlap=3, seed=7)

    summary = plan_review(other)

    reviews = open_reviews(load_settings())
    dealt = reviews.assignments("b")
    assert summary.replaced
    assert reviews.plan("b") == other
    assert len([found for found in dealt if not found.control]) == 60
    assert {found.annotator for found in dealt} == set(other.annotators)
    assert set(reviews.controls("b")) == {found.item for found in dealt if found.control}


def test_two_names_of_one_account_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="Ada and ada would have the same account ada@"):
        plan_review(ReviewPlan(build="b", annotators=("Ada", "ada", "ben")))


@pytest.mark.usefixtures("under_way")
@pytest.mark.parametrize("heir", ["ann9", "ann2"], ids=["somebody-new", "somebody-at-work"])
def test_what_somebody_has_not_judged_goes_to_others_and_nobody_judges_an_item_twice(
    candidates: list[FlawedSample], heir: str
) -> None:
    reviews = open_reviews(load_settings())
    mine = [found for found in reviews.assignments("b") if found.annotator == "ann1" and not found.control]
    judge(mine[0].item, "ann1")

    summary = replace_annotator("b", "ann1", heir)

    after = [found for found in reviews.assignments("b") if not found.control]
    assert [found.item for found in after if found.annotator == "ann1"] == [mine[0].item]
    assert Counter(found.item for found in after) == dict.fromkeys((one.id for one in candidates[:20]), 2)
    assert len({(found.item, found.annotator) for found in after}) == 40
    assert summary.taken == len(mine) - 1
    assert any(found.control and found.annotator == heir for found in reviews.assignments("b"))
    store_build(candidates)
    again = plan_review(ReviewPlan(build="b", annotators=("ann2", "ann3", heir), control_share=0.2))
    assert again.plan.annotators[:3] == NAMES
    assert [found for found in reviews.assignments("b") if found.annotator == "ann1"] == [mine[0]]


def test_a_replacement_that_cannot_be_is_refused() -> None:
    plan_review(ReviewPlan(build="b", annotators=NAMES, overlap=3, control_share=0))

    with pytest.raises(ConfigurationError, match="ann9 cannot be replaced by ann2: at work are ann1, ann2"):
        replace_annotator("b", "ann9", "ann2")
    with pytest.raises(ConfigurationError, match="Without ann1, 2 "):
        replace_annotator("b", "ann1", "ann2")


def test_control_items_that_run_out_are_counted() -> None:
    summary = plan_review(ReviewPlan(build="b", annotators=NAMES, control_share=0.5))
    assert summary.short == {}

    many = [make_candidate(number) for number in range(300)]
    store_build(many)
    short = plan_review(ReviewPlan(build="b", annotators=NAMES, control_share=0.5)).short

    assert sorted(short) == list(NAMES)
    assert all(count > 100 for count in short.values())


def test_what_left_the_build_is_counted_no_more_and_comes_back_with_its_verdicts(
    candidates: list[FlawedSample],
) -> None:
    plan = ReviewPlan(build="b", annotators=NAMES, control_share=0)
    plan_review(plan)
    reviews = open_reviews(load_settings())
    item = candidates[0].id
    for name in [found.annotator for found in reviews.assignments("b") if found.item == item]:
        push(name)
        judge(item, name)
    assert (review_status(reviews, "b").items, review_status(reviews, "b").accepted) == (20, 1)

    store_build(candidates[1:11])
    status = review_status(reviews, "b")

    assert (status.items, status.accepted, status.gone) == (10, 0, 10)
    assert sum(person.assigned for person in status.annotators) == 20
    assert review_agreement(reviews, "b")[0].items == 0
    assert len(review_outcomes(reviews, "b")) == plan_review(plan).candidates == 10
    store_build(candidates[:20])
    assert review_status(reviews, "b").accepted == 1


def test_a_review_that_is_not_planned_says_how() -> None:
    with pytest.raises(ConfigurationError, match="flawbench review plan b"):
        planned(open_reviews(load_settings()), "b")
