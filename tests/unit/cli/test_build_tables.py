from datetime import UTC, datetime

import pytest
from rich.console import Console

from cli.build_tables import builds_table, funnel_view, panel_table, subtype_table, summary_view
from core.taxonomy import Subtype
from export.facts import ReviewFacts
from storage.funnel import Funnel, SubtypeFunnel
from storage.membership import BuildSummary
from tasks.refiltering import RuleChange
from tasks.review_changes import ReviewChange
from tasks.summaries import BuildSummary as Told


def shown(table: object, width: int = 240) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def make_funnel(subtype: Subtype, selected: int, twins: int, valid: int) -> SubtypeFunnel:
    return SubtypeFunnel(
        subtype=subtype, attempted=9, rejected={}, injected=9, dropped={}, kept=9, unfiltered=0, passed=9,
        unselected={"over_target": 9 - selected}, selected=selected, undecided=0, twins=twins, valid_twins=valid,
    )  # fmt: skip


def test_changes_stand_beside_each_subtype_where_there_are_any() -> None:
    rows = (make_funnel(Subtype.AMBIGUITY, 7, 6, 5), make_funnel(Subtype.MISMATCH, 4, 0, 0))
    change = RuleChange(before=("all",), after="any", gained={Subtype.AMBIGUITY: 3}, lost={Subtype.MISMATCH: 2})

    funnel = Funnel(build="b", sources=(), subtypes=rows)
    changed = shown(subtype_table(funnel, {}, change)).splitlines()

    assert changed[1].split()[-3:] == ["taken", "build", "change"]
    assert [line.split()[-3:] for line in changed[2:]] == [["7", "+3", "-0"], ["4", "+0", "-2"]]
    assert "change" not in shown(subtype_table(funnel, {})).split()


def test_the_funnel_shows_votes_and_valid_twins_where_models_judged() -> None:
    judged = make_funnel(Subtype.AMBIGUITY, 7, 6, 5).model_copy(update={"judged": 9, "votes": 36})
    unjudged = make_funnel(Subtype.MISMATCH, 4, 0, 0)

    table = shown(funnel_view(Funnel(build="b", sources=(), subtypes=(judged, unjudged)))).split(" votes ")[1]

    assert [line.split() for line in table.splitlines()[1:3]] == [
        ["ambiguity", "9", "36", "0", "5/6"],
        ["mismatch", "0", "0", "0"],
    ]
    assert "votes" not in shown(funnel_view(Funnel(build="b", sources=(), subtypes=(unjudged,))))


@pytest.mark.parametrize("width", [80, 120])
def test_names_and_figures_of_a_build_are_whole_in_80_columns(width: int) -> None:
    subtype = Subtype.MEDIUM_MISSING_VISUAL_PREMISE
    row = make_funnel(subtype, 500, 500, 450).model_copy(
        update={"attempted": 50_000, "judged": 20_000, "votes": 80_000}
    )
    funnel = Funnel(build="b", sources=(), subtypes=(row,))
    change = RuleChange(before=("all",), after="any", gained={subtype: 500}, lost={subtype: 200})
    wanted = {subtype: 500}
    for table, cells in (
        (subtype_table(funnel, wanted), {"50000", "500"}),
        (subtype_table(funnel, wanted, change), {"50000", "500", "-200"}),
        (panel_table(funnel), {"20000", "80000", "450/500"}),
    ):
        lines = shown(table, width).splitlines()
        assert len(lines) == 3
        assert max(map(len, lines)) <= 80
        assert lines[2].startswith("medium missing visual premise ")
        assert cells <= set(lines[2].split())


def test_builds_say_who_made_and_judged_them_and_that_a_run_has_no_end() -> None:
    found = BuildSummary(
        build="mine", runs=2, samples=3, candidates=4, decisions=5, releases=6, models="rules", panel="no panel",
        last_run="run_x", last_started=datetime(2026, 11, 30, 10, 23, tzinfo=UTC), outcome=None,
    )  # fmt: skip
    cells = shown(builds_table([found])).splitlines()[1].split()
    assert " ".join(cells) == "mine rules no panel 4 3 6 2 2026-11-30 10:23 goes on, or was killed"


def test_a_release_of_what_people_accepted_is_told_by_its_own_rows() -> None:
    review = ReviewFacts(
        annotators=3, overlap=2, items=11, accepted=2, rejected=1, undecided=1, open=7, accepted_only=True,
        agreement={}, paired={}, kappa={}, alpha={},
    )  # fmt: skip
    funnel = Funnel(
        build="b",
        sources=(),
        subtypes=(make_funnel(Subtype.AMBIGUITY, 7, 0, 0), make_funnel(Subtype.MISMATCH, 5, 0, 0)),
    )
    told = shown(
        summary_view(
            Told(
                build="b", run="run_1", funnel=funnel, targets={Subtype.AMBIGUITY: 7}, shortfalls=(), lineage="l",
                release="r", example=None, review=review, rows={Subtype.AMBIGUITY: 2},
            )
        )
    )  # fmt: skip

    assert "2 of 12 rows, 8 still open, 1 rejected, 1 undecided; judged by people" in told
    assert [line.split()[-2:] for line in told.splitlines() if line.startswith(("ambiguity", "mismatch"))] == [
        ["7", "2"],
        ["5", "0"],
    ]
    assert "no person" not in told


@pytest.mark.parametrize("judged", [0, 9])
@pytest.mark.parametrize("seen", [0, 5])
def test_a_release_of_all_rows_says_how_many_of_them_people_have_judged(seen: int, judged: int) -> None:
    row = make_funnel(Subtype.AMBIGUITY, 7, 0, 0).model_copy(update={"judged": judged})
    summary = Told(
        build="b", run="r", funnel=Funnel(build="b", sources=(), subtypes=(row,)), targets={}, shortfalls=(),
        lineage="l", release="b-4567cdef", example=None, seen=seen,
    )  # fmt: skip
    told = shown(summary_view(summary))
    assert ("no person" in told) == (seen == 0)
    assert ("; 5 of 7 rows judged by people" in told) == (seen == 5)


def test_another_rule_says_what_it_does_to_a_review() -> None:
    funnel = Funnel(build="b", sources=(), subtypes=(make_funnel(Subtype.AMBIGUITY, 7, 0, 0),))
    change = RuleChange(
        before=("any",), after="all", gained={Subtype.AMBIGUITY: 5}, lost={Subtype.AMBIGUITY: 4},
        review=ReviewChange(left=4, judged=3, back=1, undealt=4),
    )  # fmt: skip
    summary = Told(
        build="b", run="r", funnel=funnel, targets={}, shortfalls=(), lineage="l", release=None, example=None,
        change=change,
    )  # fmt: skip
    (told,) = [line for line in shown(summary_view(summary)).splitlines() if line.startswith("in review")]
    for part in (
        "4 rows that people have left the build, 3 of them judged",
        "1 came back",
        "4 new ones are with nobody",
    ):
        assert part in told


@pytest.mark.parametrize("before", [None, "b-0123abcd"])
def test_a_release_that_verdicts_alone_made_another_one_says_so(before: str | None) -> None:
    summary = Told(
        build="b", run="r", funnel=Funnel(build="b", sources=(), subtypes=()), targets={}, shortfalls=(), lineage="l",
        release="b-4567cdef", example=None, before_review=before,
    )  # fmt: skip
    told = shown(summary_view(summary))
    assert ("verdicts of people alone make it another one than b-0123abcd" in told) == bool(before)


@pytest.mark.parametrize("others", [0, 1200])
def test_replies_of_other_models_than_those_asked_are_told_beside_what_was_paid(others: int) -> None:
    summary = Told(
        build="b", run="r", funnel=Funnel(build="b", sources=(), subtypes=()), targets={}, shortfalls=(), lineage="l",
        release=None, example=None, paid_usd=1.5, answered_by_others=others,
    )  # fmt: skip
    lines = shown(summary_view(summary)).splitlines()
    assert any(line.startswith("paid") for line in lines)
    told = [line for line in lines if line.startswith("other models")]
    assert ["1,200 replies are of another model" in line for line in told] == ([True] if others else [])


@pytest.mark.parametrize("kept", [None, {Subtype.MISMATCH: 5}], ids=["exported", "injected"])
def test_a_build_of_several_runs_is_not_measured_by_what_one_of_them_wanted(kept: dict[Subtype, int] | None) -> None:
    funnel = Funnel(
        build="b",
        sources=(),
        subtypes=(make_funnel(Subtype.AMBIGUITY, 7, 0, 0), make_funnel(Subtype.MISMATCH, 9, 0, 0)),
    )
    summary = Told(
        build="b", run="r", funnel=funnel, targets={Subtype.MISMATCH: 8}, shortfalls=(), lineage="l", release=None,
        example=None, grown=True, kept=kept,
    )  # fmt: skip
    lines = shown(summary_view(summary)).splitlines()

    assert not any("wanted" in line.split() for line in lines if line.startswith("subtype"))
    assert [line.split()[-1] for line in lines if line.startswith(("ambiguity", "mismatch"))] == ["7", "9"]
    told = [line for line in lines if line.startswith(("this run", "short of"))]
    assert told == (
        ["this run    mismatch 5 of 8 wanted", "short of    mismatch 3 (see `flawbench funnel b`)"] if kept else []
    )
