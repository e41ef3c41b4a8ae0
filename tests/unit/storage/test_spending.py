"""What models were asked and what it cost: replies shared by several items are paid once, votes come back as they were
stored."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.calls import Call
from core.records import Decision, FlawedSample, Stage
from core.taxonomy import Subtype
from core.votes import Criterion, Verdict, Vote
from storage.lineage import Lineage
from storage.membership import ItemKind, Member
from storage.parts import Part, PartInfo, make_part
from storage.rows import call_rows, candidate_rows, decision_rows, vote_rows
from storage.runs import RunInfo
from storage.spending import CallFilter


def make_call(reply: str, item: str, usd: float | None, status: str = "ok", reported: str = "gpt-5.1") -> Call:
    return Call(
        reply=reply,
        stage=Stage.PANEL,
        role="validator",
        item=item,
        subtype=Subtype.AMBIGUITY,
        provider="openai",
        model="gpt-5.1",
        model_reported=reported,
        family="openai",
        prompt="validation@1",
        prompt_hash="0" * 64,
        parameters="{}",
        status=status,
        attempts=1,
        prompt_tokens=1000,
        completion_tokens=10,
        usd=usd,
        price_date="2026-11-01" if usd is not None else None,
        asked="2026-11-30T08:00:00+00:00",
    )


@pytest.fixture(scope="module")
def asked(
    new_file: Callable[[], Path],
    run: RunInfo,
    parts: list[Part],
    decisions: list[Decision],
    candidates: list[FlawedSample],
    make_info: Callable[[Stage, str], PartInfo],
) -> Lineage:
    """Two calls that share a reply of 0.25 USD, one of 0.5 USD cut short; two validators voted on one candidate: for
    reading only."""
    lineage = Lineage(new_file(), 20.0)
    judged = candidates[2].id
    calls = [
        make_call("a" * 64, judged, 0.25),
        make_call("a" * 64, candidates[3].id, 0.25),
        make_call("b" * 64, judged, 0.5, status="truncated", reported="gpt-5.1-mini"),
    ]
    votes = [
        Vote(item=judged, subtype=Subtype.AMBIGUITY, criterion=criterion, verdict=Verdict.PASS, model=model,
             family=model, call=calls[0].id)
        for criterion in (Criterion.TYPE_COMPLIANCE, Criterion.UNANSWERABILITY)
        for model in ("one", "two")
    ]  # fmt: skip
    dropped = Decision(
        stage=Stage.PANEL, item=judged, subtype=Subtype.AMBIGUITY, keep=False, reason="answerable", decided_by="panel@1"
    )
    lineage.start_run(run)
    rows = [row for call in calls for row in call_rows(call)] + [row for vote in votes for row in vote_rows(vote)]
    info = make_info(Stage.PANEL, "panel").model_copy(update={"run_id": run.id})
    lineage.ingest([*parts, make_part(info, [*rows, *decision_rows(dropped)])])
    before = [found for found in decisions if found.stage is not Stage.SELECT]
    members = [Member(found.id, found.subtype, rank) for rank, found in enumerate([*before, dropped])]
    lineage.set_members("small", ItemKind.DECISION, members, replace=True)
    return lineage


def test_a_shared_reply_is_paid_once(asked: Lineage, run: RunInfo) -> None:
    (line,) = asked.costs(run.build)
    assert (line.calls, line.not_ok, line.usd, line.prompt_tokens) == (2, 1, 0.75, 2000)
    assert asked.used_replies(run.build) == {"a" * 64, "b" * 64}


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (CallFilter(), 3),
        (CallFilter(stage="inject"), 0),
        (CallFilter(status="truncated"), 1),
        (CallFilter(model="5.1"), 3),
        (CallFilter(other_model=True), 1),
        (CallFilter(build="elsewhere"), 0),
        (CallFilter(cost_at_least=0.3), 1),
        (CallFilter(cost_at_least=0.25), 3),
    ],
    ids=["all", "stage", "status", "model", "reported", "build", "cost", "cost of all"],
)
def test_calls_are_listed_by_what_is_asked_for(wanted: CallFilter, count: int, asked: Lineage) -> None:
    assert len(asked.calls(wanted).rows) == count


def test_the_dearest_call_stands_first(asked: Lineage) -> None:
    result = asked.calls(CallFilter(order="cost"))
    assert [row[result.columns.index("usd")] for row in result.rows] == [0.5, 0.25, 0.25]


def test_votes_come_back_as_they_were_stored(asked: Lineage, run: RunInfo, candidates: list[FlawedSample]) -> None:
    votes = asked.votes(run.build)
    assert {(vote.item, vote.model, vote.verdict) for vote in votes} == {
        (candidates[2].id, "one", Verdict.PASS),
        (candidates[2].id, "two", Verdict.PASS),
    }
    assert len({vote.id for vote in votes}) == 4


def test_what_the_panel_dropped_is_counted(asked: Lineage, run: RunInfo) -> None:
    row = next(row for row in asked.funnel(run.build).subtypes if row.unpassed)
    assert (row.judged, row.unpassed, row.unjudged, row.passed) == (1, {"answerable": 1}, row.kept - 1, 0)


def test_the_chain_of_a_candidate_names_its_calls_and_votes(asked: Lineage, candidates: list[FlawedSample]) -> None:
    relations = [child.relation for child in asked.chain(candidates[2].id).children]
    assert relations.count("asked") == 2
    assert relations.count("voted") == 4


def test_prompts_are_those_of_the_shards_that_the_build_is_made_of(asked: Lineage, run: RunInfo) -> None:
    assert asked.prompts(run.build) == ("validation@1",)
    assert asked.prompts("elsewhere") == ()


def test_a_call_and_a_vote_are_items_of_the_chain(asked: Lineage, candidates: list[FlawedSample]) -> None:
    judged = candidates[2].id
    vote = next(child for child in asked.chain(judged).children if child.relation == "voted")
    root = asked.chain(vote.id[:20])
    assert (root.kind, root.facts["criterion"], root.facts["verdict"]) == ("vote", vote.facts["criterion"], "pass")
    below = {child.relation: child for child in root.children}
    assert below["voted_on"].id == judged
    assert below["made_by"].children[0].kind == "run"
    call = asked.chain(below["voted_in"].id)
    assert (call.kind, call.facts["status"], call.facts["usd"]) == ("call", "ok", 0.25)
    assert call.facts["reply"] == "a" * 64
    relations = [child.relation for child in call.children]
    assert relations == ["asked_about", "made_by", *["gave"] * 4]
    assert call.children[0].id == judged


def test_a_build_without_a_decision_of_the_panel_shows_no_votes_of_another_build(
    asked: Lineage, decisions: list[Decision], candidates: list[FlawedSample]
) -> None:
    members = [Member(found.id, found.subtype, rank) for rank, found in enumerate(decisions)]
    rows = [Member(found.id, found.subtype, rank) for rank, found in enumerate(candidates)]
    asked.set_members("rules", ItemKind.DECISION, members, replace=True)
    asked.set_members("rules", ItemKind.CANDIDATE, rows, replace=True)
    assert (asked.panels("rules"), asked.prompts("rules")) == ({}, ())
    assert (asked.panels("small"), asked.prompts("small")) == ({candidates[2].id: "one+two"}, ("validation@1",))


def test_what_made_the_first_of_two_flaws_is_among_the_prompts(
    lineage: Lineage,
    candidates: list[FlawedSample],
    make_info: Callable[[Stage, str], PartInfo],
) -> None:
    single, other = candidates[0], candidates[3]
    dual = single.model_copy(update={"flaws": (*single.flaws, *other.flaws)})
    calls = [
        make_call("a" * 64, single.id, 0.1).model_copy(update={"stage": Stage.INJECT, "prompt": "ambiguity@1"}),
        make_call("b" * 64, other.id, 0.1).model_copy(update={"stage": Stage.INJECT, "prompt": "mismatch@1"}),
        make_call("c" * 64, single.parent, 0.1).model_copy(update={"stage": Stage.REWRITE, "prompt": "rewriting@1"}),
        make_call("d" * 64, single.parent, 0.1).model_copy(update={"stage": Stage.TWIN, "prompt": "twin@1"}),
    ]
    rows = [row for found in (single, other, dual) for row in candidate_rows(found)]
    rows += [row for call in calls for row in call_rows(call)]
    lineage.ingest([make_part(make_info(Stage.INJECT, "elsewhere"), rows)])
    lineage.set_members("dual", ItemKind.CANDIDATE, [Member(dual.id, dual.subtype, 0)], replace=True)
    assert lineage.prompts("dual") == ("ambiguity@1", "rewriting@1")
