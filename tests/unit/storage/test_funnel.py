from collections.abc import Callable
from functools import partial

import pytest

from core.errors import StorageError
from core.records import Decision, FlawedSample, Sample, Stage
from core.taxonomy import Subtype
from core.votes import Criterion, Verdict, Vote
from storage.funnel import Funnel, SourceFunnel, SubtypeFunnel, find_faults
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import Part, PartInfo, make_part
from storage.rows import candidate_rows, decision_rows, sample_rows, vote_rows


def test_the_funnel_counts_what_was_decided(filled: Lineage) -> None:
    assert filled.funnel("small") == Funnel(
        build="small",
        sources=(
            SourceFunnel(
                source="emma", read=6, quarantined={"no_text": 1}, unsampled={"duplicate": 1}, sampled=4, undecided=0
            ),
        ),
        subtypes=(
            SubtypeFunnel(
                subtype=Subtype.AMBIGUITY,
                attempted=4,
                rejected={"no_context": 1},
                injected=3,
                dropped={"flaw_leaked_in_text": 1},
                kept=2,
                unfiltered=0,
                passed=2,
                unselected={"over_target": 1},
                selected=1,
                undecided=0,
            ),
            SubtypeFunnel(
                subtype=Subtype.MISMATCH,
                attempted=1,
                rejected={},
                injected=1,
                dropped={},
                kept=1,
                unfiltered=0,
                passed=1,
                unselected={},
                selected=1,
                undecided=0,
            ),
        ),
    )


def test_a_finished_build_adds_up(filled: Lineage) -> None:
    assert find_faults(filled.funnel("small")) == []


@pytest.mark.parametrize(
    ("missing", "fault"),
    [
        (Stage.SAMPLE, "emma: 5 usable rows have no decision of the sample stage."),
        (Stage.FILTER, "ambiguity: 3 of 3 candidates have no decision of a filter."),
        (Stage.SELECT, "ambiguity: 2 of 2 passed candidates were not considered at the end."),
    ],
)
def test_a_stage_that_is_missing_is_said(
    missing: Stage, fault: str, lineage: Lineage, decisions: list[Decision], parts: list[Part]
) -> None:
    left = [found for found in decisions if found.stage != missing]
    lineage.ingest(parts)
    members = [Member(found.id, found.subtype, rank) for rank, found in enumerate(left)]
    lineage.set_members("small", ItemKind.DECISION, members, replace=True)

    assert fault in find_faults(lineage.funnel("small"))


def test_rows_are_counted_whose_unmodified_question_was_judged_and_called_valid(
    lineage: Lineage,
    candidates: list[FlawedSample],
    parts: list[Part],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    """Two of ambiguity, one of them with a valid twin, and one of mismatch whose twin nobody judged."""
    valid, invalid, unjudged = candidates[0], candidates[1], candidates[3]
    twins = [
        Decision(stage=Stage.TWIN, item=valid.parent, output=valid.parent, keep=True, decided_by="twins"),
        Decision(stage=Stage.TWIN, item=invalid.parent, keep=False, reason="not_valid", decided_by="twins"),
    ]
    rows = [row for decision in twins for row in decision_rows(decision)]
    lineage.ingest([*parts, make_part(make_info(Stage.TWIN, "twins"), rows)])
    rows_in = [Member(found.id, found.subtype, rank) for rank, found in enumerate((valid, invalid, unjudged))]
    selected = [
        Decision(stage=Stage.SELECT, item=found.id, subtype=found.subtype, keep=True, decided_by="s")
        for found in (valid, unjudged)
    ]
    lineage.ingest([make_part(make_info(Stage.SELECT, "s"), [row for one in selected for row in decision_rows(one)])])
    decided = [Member(found.id, found.subtype, rank) for rank, found in enumerate([*twins, *selected])]
    lineage.set_members("small", ItemKind.CANDIDATE, rows_in, replace=True)
    lineage.set_members("small", ItemKind.DECISION, decided, replace=True)

    funnel = lineage.funnel("small")

    assert [(row.subtype, row.twins, row.valid_twins) for row in funnel.subtypes] == [
        (Subtype.AMBIGUITY, 2, 1),
        (Subtype.MISMATCH, 0, 0),
    ]


def test_decisions_of_other_builds_do_not_count(lineage: Lineage, decisions: list[Decision], parts: list[Part]) -> None:
    lineage.ingest(parts)
    first = decisions[0]
    lineage.set_members("tiny", ItemKind.DECISION, [Member(first.id, None, 0)], replace=True)

    funnel = lineage.funnel("tiny")

    assert [(row.read, row.quarantined) for row in funnel.sources] == [(1, {"no_text": 1})]
    assert funnel.subtypes == ()


def test_questions_of_one_source_and_what_was_made_of_them_are_counted_alone(
    lineage: Lineage, samples: list[Sample], candidates: list[FlawedSample], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    """Two candidates of one subtype, whose questions come from different sources; the panel judged one of each."""
    other = samples[1].model_copy(update={"source": "math_vision"})
    first, second = candidates[0], candidates[0].model_copy(update={"parent": other.id})
    assert first.parent == samples[0].id
    decisions = [
        *(
            Decision(stage=Stage.INJECT, item=one.parent, output=one.id, subtype=one.subtype, keep=True, decided_by="i")
            for one in (first, second)
        ),
        Decision(stage=Stage.FILTER, item=first.id, subtype=first.subtype, keep=True, decided_by="f"),
        Decision(stage=Stage.FILTER, item=second.id, subtype=first.subtype, keep=False, reason="x", decided_by="f"),
        Decision(stage=Stage.PANEL, item=first.id, subtype=first.subtype, keep=True, decided_by="p"),
        *(Decision(stage=Stage.SAMPLE, item=one.id, keep=True, decided_by="s") for one in (samples[0], other)),
    ]
    rows = [row for one in (samples[0], other) for row in sample_rows(one, ())]
    rows += [row for one in (first, second) for row in candidate_rows(one)]
    rows += [row for one in decisions for row in decision_rows(one)]
    rows += [row for number in range(2) for row in vote_rows(_vote(first, f"m{number}"))]
    lineage.ingest([make_part(make_info(Stage.INJECT, "both"), rows)])
    lineage.set_members(
        "both",
        ItemKind.DECISION,
        [Member(one.id, one.subtype, rank) for rank, one in enumerate(decisions)],
        replace=True,
    )

    def counted(source: str | None) -> tuple[int, ...]:
        (row,) = lineage.funnel("both", source).subtypes
        return row.injected, row.kept, row.judged, row.votes

    assert (counted(None), counted("emma"), counted("math_vision")) == ((2, 1, 1, 2), (1, 1, 1, 2), (1, 0, 0, 0))
    with pytest.raises(StorageError, match=r"no source 'emna'\. Use one of: emma, math_vision\."):
        lineage.funnel("both", "emna")


def test_an_unknown_build_is_an_error_that_names_the_known_ones(filled: Lineage) -> None:
    with pytest.raises(StorageError, match=r"There is no build 'smal'\. Use one of: small\."):
        filled.funnel("smal")


def test_quarantined_rows_are_listed_with_their_reason(filled: Lineage) -> None:
    (row,) = filled.quarantined("small")

    assert row == ("emma", "row-99", "no_text", "because no_text")


@pytest.mark.parametrize(
    ("source", "reason", "rows"),
    [("emma", None, 1), ("mathvista", None, 0), (None, "no_text", 1), ("emma", "too_small", 0)],
)
def test_quarantined_rows_can_be_filtered(source: str | None, reason: str | None, rows: int, filled: Lineage) -> None:
    assert len(filled.quarantined("small", source, reason)) == rows


def _vote(candidate: FlawedSample, model: str) -> Vote:
    return Vote(
        item=candidate.id,
        subtype=candidate.subtype,
        criterion=Criterion.UNANSWERABILITY,
        verdict=Verdict.PASS,
        model=model,
        family=model,
        call=f"cal_{model}",
    )


def test_a_duplicate_of_a_passed_candidate_that_the_panel_was_not_asked_about_is_counted_as_such(
    lineage: Lineage, candidates: list[FlawedSample], parts: list[Part], make_info: Callable[[Stage, str], PartInfo]
) -> None:
    lineage.ingest(parts)
    passed, same = (found for found in candidates[:2])
    decision = partial(Decision, subtype=passed.subtype, decided_by="t")
    decisions = [
        *(decision(stage=Stage.INJECT, item=one.parent, output=one.id, keep=True) for one in (passed, same)),
        *(decision(stage=Stage.FILTER, item=one.id, output=one.id, keep=True) for one in (passed, same)),
        decision(stage=Stage.PANEL, item=passed.id, output=passed.id, keep=True),
        decision(stage=Stage.SELECT, item=passed.id, output=passed.id, keep=True),
        decision(stage=Stage.SELECT, item=same.id, keep=False, reason="duplicate_of_another_candidate"),
    ]
    lineage.ingest([make_part(make_info(Stage.SELECT, "s"), [row for one in decisions for row in decision_rows(one)])])
    members = [Member(found.id, found.subtype, rank) for rank, found in enumerate(decisions)]
    lineage.set_members("small", ItemKind.DECISION, members, replace=True)

    funnel = lineage.funnel("small")
    (row,) = funnel.subtypes

    assert (row.judged, row.unjudged, row.passed, row.selected, row.undecided) == (1, 0, 2, 1, 0)
    assert row.unselected == {"duplicate_of_another_candidate": 1}
    assert find_faults(funnel) == []


def test_a_build_that_has_grown_counts_what_was_decided_again_once_and_a_keep_before_a_drop(
    lineage: Lineage,
    candidates: list[FlawedSample],
    decisions: list[Decision],
    parts: list[Part],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    """A second run keeps what was over the target, and finds over its own what stands in the build."""
    (surplus,) = (found for found in decisions if found.stage is Stage.SELECT and not found.keep)
    kept = next(found for found in decisions if found.stage is Stage.SELECT and found.keep)
    again = [
        surplus.model_copy(update={"keep": True, "reason": None, "output": surplus.item, "evidence": ""}),
        kept.model_copy(update={"keep": False, "reason": "over_target", "output": None, "evidence": "none wanted"}),
    ]
    lineage.ingest(
        [*parts, make_part(make_info(Stage.SELECT, "s"), [row for one in again for row in decision_rows(one)])]
    )
    for number, found in enumerate((decisions, again)):
        members = [Member(one.id, one.subtype, 100 * number + rank) for rank, one in enumerate(found)]
        lineage.set_members("small", ItemKind.DECISION, members, replace=False)

    lineage.remove_overruled("small")

    funnel = lineage.funnel("small")
    assert find_faults(funnel) == []
    assert [(row.attempted, row.passed, row.selected, row.unselected) for row in funnel.subtypes] == [
        (4, 2, 2, {}),
        (1, 1, 1, {}),
    ]
