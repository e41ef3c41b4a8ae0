"""Plans, assignments, projects and verdicts come back as they were stored."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.review import Assignment, Flag, Judged, Judgement, ReviewPlan, ReviewProject, ReviewTask, Round
from core.taxonomy import Subtype
from core.votes import Criterion
from storage.reviews import Reviews

PLAN = ReviewPlan(build="b", annotators=("ann1", "ann2", "ann3"))
PROJECT = ReviewProject(
    build="b", round=Round.FIRST, annotator="ann1", url="http://127.0.0.1:8080", project=3, user=2, screen_sha="0" * 64
)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def assign(item: str, annotator: str = "ann1") -> Assignment:
    return Assignment(item=item, subtype=Subtype.AMBIGUITY, round=Round.FIRST, annotator=annotator)


def judge(item: str, annotation: int = 1, flags: tuple[Flag, ...] = ()) -> Judgement:
    return Judgement(
        item=item,
        round=Round.FIRST,
        annotator="ann1",
        type_compliance=Judged.PASS,
        unanswerability=Judged.FAIL,
        unanswerability_reason="the table says it",
        flags=flags,
        project=3,
        task=5,
        annotation=annotation,
        content_sha="1" * 64,
        screen_sha="0" * 64,
        created=NOW.isoformat(),
        updated=NOW.isoformat(),
    )


@pytest.fixture
def reviews(new_file: Callable[[], Path]) -> Reviews:
    return Reviews(new_file(), 5)


def test_a_plan_grows_without_moving_what_was_dealt(reviews: Reviews) -> None:
    reviews.store_plan(PLAN, {}, [assign("cnd_2"), assign("cnd_1")])
    reviews.store_plan(PLAN, {}, [assign("cnd_0"), assign("cnd_1"), assign("cnd_2")])

    assert reviews.plan("b") == PLAN
    assert [assignment.item for assignment in reviews.assignments("b")] == ["cnd_2", "cnd_1", "cnd_0"]


def test_criteria_of_an_assignment_come_back(reviews: Reviews) -> None:
    informed = assign("cnd_1").model_copy(update={"criteria": (Criterion.UNANSWERABILITY,), "informed": True})
    reviews.store_plan(PLAN, {}, [informed])

    assert reviews.assignments("b") == [informed]


def test_another_build_sees_nothing(reviews: Reviews) -> None:
    reviews.store_plan(PLAN, {}, [assign("cnd_1")])
    reviews.store_pull(PROJECT, [judge("cnd_1")], ["cnd_1"])

    assert reviews.plan("c") is None
    assert reviews.assignments("c") == []
    assert reviews.judgements("c") == []


def test_the_tasks_of_a_project_are_replaced_whole(reviews: Reviews) -> None:
    first = [ReviewTask(item=f"cnd_{number}", project=3, task=number, content_sha="0" * 64) for number in range(3)]
    other = ReviewTask(item="cnd_1", project=4, task=9, content_sha="0" * 64)
    reviews.store_tasks("b", 3, first)
    reviews.store_tasks("b", 4, [other])
    reviews.store_tasks("b", 3, first[:1])

    assert reviews.tasks("b") == [first[0], other]


def test_a_pull_replaces_what_is_known_of_its_items_alone(reviews: Reviews) -> None:
    reviews.store_pull(PROJECT, [judge("cnd_1"), judge("cnd_2")], ["cnd_1", "cnd_2"])
    doubled = judge("cnd_1", annotation=7, flags=(Flag.DOUBLE,))
    later = PROJECT.model_copy(update={"pulled": NOW, "pulls": 2})
    reviews.store_pull(later, [judge("cnd_1"), doubled], ["cnd_1"])

    assert sorted(reviews.judgements("b"), key=lambda found: (found.item, found.annotation)) == [
        judge("cnd_1"),
        doubled,
        judge("cnd_2"),
    ]
    assert reviews.projects("b") == [later]


def test_a_reason_of_any_letters_comes_back(reviews: Reviews) -> None:
    reason = 'a "quote", a line\nand \u2028, {"json": [null]}, \\u0041, \x00, 电荷 and 🧲'
    given = judge("cnd_1").model_copy(update={"type_compliance_reason": reason, "seconds": 1 / 3})
    reviews.store_pull(PROJECT, [given], ["cnd_1"])

    assert reviews.judgements("b") == [given]
