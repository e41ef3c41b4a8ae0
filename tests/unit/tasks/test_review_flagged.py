"""Which items have to be judged again, and where."""

from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.review import Assignment, Flag, Judgement, ReviewPlan, ReviewProject, ReviewTask, Round
from core.taxonomy import Subtype
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.reviews import Reviews
from tasks.review_flagged import FlaggedItem, find_flagged


def judgement(item: str, minute: int, *flags: Flag, detail: str = "", annotator: str = "ada") -> Judgement:
    return Judgement(
        item=item,
        round=Round.FIRST,
        annotator=annotator,
        flags=flags,
        detail=detail,
        project=4,
        task=70,
        annotation=minute,
        content_sha="sha",
        screen_sha="screen",
        created="2026-11-30T10:00:00Z",
        updated=f"2026-11-30T10:{minute:02}:00Z",
    )


def test_an_item_of_which_nothing_counts_is_listed_with_its_newest_reason_and_the_task_as_it_is_now(
    tmp_path: Path,
) -> None:
    reviews = Reviews(tmp_path / "lineage.duckdb", 5)
    items = ("cnd_lost", "cnd_again", "cnd_counts", "cnd_new", "cnd_skipped", "cnd_left_the_build")
    members = [Member(item, Subtype.AMBIGUITY, rank) for rank, item in enumerate(items[:-1])]
    Lineage(tmp_path / "lineage.duckdb", 5).set_members("b", ItemKind.CANDIDATE, members, replace=True)
    dealt = [
        Assignment(item=item, subtype=Subtype.AMBIGUITY, round=Round.FIRST, annotator=annotator)
        for item in items
        for annotator in ("ada", "ben")
    ]
    reviews.store_plan(ReviewPlan(build="b", annotators=("ada", "ben")), {}, dealt)
    with pytest.raises(ConfigurationError, match="No review"):
        find_flagged(reviews, "another", None)
    project = ReviewProject(
        build="b", round=Round.FIRST, annotator="ada", url="http://desk/", project=5, user=2, screen_sha="screen"
    )
    given = [
        judgement("cnd_lost", 5, Flag.DELETED),
        judgement("cnd_again", 9, Flag.REASON_MISSING, detail="reason_missing: unanswerability"),
        judgement("cnd_again", 3, Flag.EMPTY),
        judgement("cnd_counts", 3, Flag.REVISED),
        judgement("cnd_counts", 4),
        judgement("cnd_nobody_asks", 4, Flag.EMPTY),
        judgement("cnd_left_the_build", 4, Flag.EMPTY),
    ]
    reviews.store_pull(project, given, items)
    reviews.store_tasks("b", 5, [ReviewTask(item="cnd_again", project=5, task=81, content_sha="sha")])

    lost = FlaggedItem("cnd_lost", 1, "ada", (Flag.DELETED,), "", None)
    again = FlaggedItem(
        "cnd_again",
        1,
        "ada",
        (Flag.REASON_MISSING,),
        "reason_missing: unanswerability",
        "http://desk/projects/5/data?task=81",
    )
    assert find_flagged(reviews, "b", None) == [lost, again]
    seen = find_flagged(reviews, "b", "https://review.example/")
    assert seen[1].link == "https://review.example/projects/5/data?task=81"
