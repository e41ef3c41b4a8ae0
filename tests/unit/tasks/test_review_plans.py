"""A review of the starter set: everybody's queue, the control items in it, and what planning again changes."""

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.records import Flaw, FlawedSample, TextPart, TextRemoval
from core.review import ReviewPlan
from core.settings import load_settings
from core.taxonomy import Subtype
from storage.membership import ItemKind, Member
from storage.parts import PartInfo, make_part
from storage.rows import candidate_rows
from tasks.review_plans import plan_review
from tasks.review_store import open_reviews, planned
from tasks.stores import open_lineage

NAMES = ("ann1", "ann2", "ann3")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FLAWBENCH_DATA", str(tmp_path))
    return tmp_path


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


@pytest.fixture
def candidates() -> list[FlawedSample]:
    """Thirty, of which the last ten join the build later."""
    found = [make_candidate(number) for number in range(30)]
    store_build(found[:20])
    return found


def test_each_candidate_has_two_annotators_and_controls_are_no_items_of_the_build(
    candidates: list[FlawedSample],
) -> None:
    summary = plan_review(ReviewPlan(build="b", annotators=NAMES, control_share=0.2))

    assignments = open_reviews(load_settings()).assignments("b")
    asked = [found.item for found in assignments if not found.control]
    assert sorted(asked) == sorted([candidate.id for candidate in candidates[:20]] * 2)
    assert summary.candidates == 20
    assert summary.controls > 0
    controls = {found.item for found in assignments if found.control}
    assert controls == set(open_reviews(load_settings()).controls("b"))
    assert not controls & {candidate.id for candidate in candidates[:20]}


def test_planned_again_nothing_is_new_and_a_grown_build_deals_only_what_came(candidates: list[FlawedSample]) -> None:
    plan = ReviewPlan(build="b", annotators=NAMES, control_share=0.2)
    plan_review(plan)
    before = open_reviews(load_settings()).assignments("b")

    assert plan_review(plan).new == 0
    store_build(candidates)
    plan_review(plan)

    after = open_reviews(load_settings()).assignments("b")
    assert after[: len(before)] == before
    assert {found.item for found in after if not found.control} == {candidate.id for candidate in candidates}


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (ReviewPlan(build="c", annotators=NAMES), "no build 'c'"),
        (ReviewPlan(build="b", annotators=("ann1", "ann2")), "ann3 already have items"),
        (ReviewPlan(build="b", annotators=NAMES, overlap=3), "with 2 verdicts an item, not 3"),
    ],
    ids=["no-build", "annotator-left-out", "other-overlap"],
)
@pytest.mark.usefixtures("candidates")
def test_a_plan_that_breaks_what_was_dealt_is_refused(plan: ReviewPlan, told: str) -> None:
    plan_review(ReviewPlan(build="b", annotators=NAMES))

    with pytest.raises(ConfigurationError, match=told):
        plan_review(plan)


@pytest.mark.usefixtures("candidates")
def test_a_review_that_is_not_planned_says_how() -> None:
    with pytest.raises(ConfigurationError, match="flawbench review plan b"):
        planned(open_reviews(load_settings()), "b")
