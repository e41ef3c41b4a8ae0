"""What the terminal says of a review, whole in 80 columns."""

import csv
import io

import pytest
from rich.console import Console, RenderableType

from annotation.agreement import measure_agreement
from annotation.progress import AnnotatorProgress
from cli.review_tables import agreement_view, flagged_view, plan_view, status_view, verdicts_text
from core.review import Flag, Judged, Judgement, ReviewPlan, Round
from tasks.review_flagged import FlaggedItem
from tasks.review_plans import PlanSummary
from tasks.review_reports import ReviewStatus


def shown(view: RenderableType) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(view, soft_wrap=True)
    return capture.get()


def person(name: str, left: int = 0, seconds: float = 12.3, right: int = 4) -> AnnotatorProgress:
    flagged = ((Flag.SCREEN_CHANGED, 1), (Flag.REASON_MISSING, 12))
    return AnnotatorProgress(name, 10_000, 10_000 - left, flagged, seconds, right, 4, 1.5)


def status(
    people: list[AnnotatorProgress], undealt: int = 0, stuck: int = 0, gone: int = 0, pushed: bool = True
) -> ReviewStatus:
    return ReviewStatus("b", tuple(people), 100, 90 - stuck, 7, 3, 20, undealt, stuck, gone, pushed)


def test_doubts_and_flags_stand_below_a_table_of_80_columns() -> None:
    people = [person("eve.with.a.long.name@example.org", left=600, seconds=1.94, right=3), person("ada")]

    told = shown(status_view(status(people, gone=5)))

    table, _, below = told.partition("\n\n")
    assert max(map(len, table.splitlines())) <= 80
    assert "1.9" in table
    assert "screen changed 1, reason missing 12" in below
    assert "eve.with.a.long.name@example.org: 1.9 seconds an item: too fast" in below
    assert "look at     eve" in below
    assert "3 of 4 controls right, below 80%" in below
    assert "look at     ada" not in below
    assert "7 rejected, 3 undecided" in below
    assert "5 more items were dealt and are no longer in the build" in below


@pytest.mark.parametrize(
    ("found", "steps"),
    [
        (
            status([person("ada", left=3)]),
            [
                "review status b --flagged says what is to be",
                "the annotators judge on; then uv run flawbench review pull b",
            ],
        ),
        (status([person("ada")], undealt=2), ["review push b gives 2 disputes"]),
        (status([person("ada")._replace(flagged=())]), ["export b --reviewed\n"]),
        (
            status([person("ada")], stuck=4),
            ["4 disputed items stay open", "--annotators ada,NAME", "leaves the 4 open"],
        ),
    ],
    ids=["left", "disputes", "done", "nobody-left-to-ask"],
)
def test_the_next_step_never_passes_over_what_is_open(found: ReviewStatus, steps: list[str]) -> None:
    told = shown(status_view(found))

    assert all(step in told for step in steps)
    assert ("--flagged" in told) == any(row.flagged for row in found.annotators)
    assert ("export" in told) == any("export" in step or "leaves" in step for step in steps)


@pytest.mark.parametrize("gone", [0, 5])
def test_before_a_push_the_next_step_is_that_after_another_plan_where_planned_items_are_gone(gone: int) -> None:
    _, _, told = shown(status_view(status([person("ada", left=3)], gone=gone, pushed=False))).partition("next")

    assert "review push b" in told
    assert ("review plan b" in told) == (gone > 0)
    assert "judge on" not in told


@pytest.mark.parametrize(("has_server", "first"), [(True, "review push b"), (False, "review up b")])
def test_a_plan_says_what_to_start_first(has_server: bool, first: str) -> None:
    summary = PlanSummary(ReviewPlan(build="b", annotators=("ada", "ben")), 9, 1, {"ada": 10}, 10, {"ada": 3})

    told = shown(plan_view(summary, has_server=has_server))

    assert first in next(line for line in told.splitlines() if line.startswith("next"))
    assert "fewer than wanted: ada 3" in told


def test_agreement_on_few_items_says_so_and_fits() -> None:
    said = [
        Judgement(
            item=f"cnd_{number}", round=Round.FIRST, annotator=name, type_compliance=verdict,
            unanswerability=Judged.PASS, project=1, task=1, annotation=1, content_sha="", screen_sha="",
            created="2026-01-02T00:00:00+00:00", updated="2026-01-02T00:00:00+00:00",
        )
        for number in range(20)
        for name, verdict in (
            ("ada.lovelace@example.org", Judged.PASS if number % 3 else Judged.FAIL),
            ("ben.somebody@example.org", Judged.PASS if number % 4 else Judged.FAIL),
        )
    ]  # fmt: skip

    told = shown(agreement_view(measure_agreement(said)))

    tables = [line for line in told.splitlines() if not line.startswith(("few items", "no figure"))]
    assert max(map(len, tables)) <= 80
    assert told.count("below 30, the figures tell little: all 20") == 2
    assert [line.split()[2:] for line in tables if line.startswith("Fleiss")] == [
        ["0.05", "on", "20", "items", "that", "2", "judged", "each"]
    ]
    assert ".." in next(line for line in tables if line.startswith("all"))


def test_before_two_have_judged_the_same_it_is_said_and_the_pass_rate_has_its_number() -> None:
    said = [
        Judgement(
            item=f"cnd_{name}_{number}", round=Round.FIRST, annotator=name, type_compliance=Judged.PASS,
            unanswerability=Judged.PASS, project=1, task=1, annotation=1, content_sha="", screen_sha="",
            created="2026-01-02T00:00:00+00:00", updated="2026-01-02T00:00:00+00:00",
        )
        for name in ("ada", "ben")
        for number in range(6)
    ]  # fmt: skip

    told = shown(agreement_view(measure_agreement(said)))

    assert told.count("nobody has judged an item that another has judged") == 1
    assert "1.00" in told and "of 12" in told
    assert "few items" not in told and "no figure" not in told


def test_verdicts_are_csv_whatever_was_written() -> None:
    rows = [{"item": "cnd_1", "reason": 'a "quote", a comma\nand a line'}, {"item": "cnd_2", "reason": None}]

    read = list(csv.DictReader(io.StringIO(verdicts_text(rows))))

    assert read == [rows[0], {"item": "cnd_2", "reason": ""}]
    assert verdicts_text([]) == ""


def test_what_is_to_be_judged_again_is_named_with_reason_and_link_or_how_to_get_one() -> None:
    link = "http://desk/projects/3/data?task=4"
    detail = "reason_missing: unanswerability"
    told = shown(
        flagged_view(
            "b",
            [
                FlaggedItem("cnd_1", 1, "ada", (Flag.REASON_MISSING,), detail, link),
                FlaggedItem("cnd_2", 2, "ben", (Flag.EDITED_BY_OTHER, Flag.DELETED), "", None),
            ],
        )
    )

    assert f"ada, round 1, cnd_1: {detail}" in told
    assert link in told
    assert "ben, round 2, cnd_2: edited by other, deleted" in told
    assert "flawbench review push b" in told
    assert "nothing" in shown(flagged_view("b", []))
