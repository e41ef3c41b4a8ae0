"""The work of one shard before the validators, in the process of the flow: votes and one decision for each item."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from core.calls import Answer
from core.records import Decision, FlawedSample, Picture, Sample, Stage
from core.taxonomy import Subtype
from filters.base import DropReason, drop
from filters.blindness import decide_blind, needs_blind_solve, propose_blind_solve
from filters.panel import decide_by_votes, panel_name, propose_validation, read_votes
from filters.twins import is_valid, propose_twin, read_twin_vote
from filters.validators import Shortage, drop_for_shortage, touched_families
from models.providers.attachments import check_pictures
from storage.parts import Row
from storage.rows import candidates_in, decision_rows, vote_rows
from tasks.desk import Desk, gather_all
from tasks.named_validators import choose_panel
from tasks.prompted_shards import rows_of_calls
from tasks.runs import Run
from tasks.shards import PartFacts, new_part, read_pool
from tasks.specs import PanelShard, TwinShard


class Judged(NamedTuple):
    """What the validators said of one item, as rows, and what follows."""

    rows: list[Row]
    decision: Decision


def judge_by_panel(shard: PanelShard, run: Run) -> None:
    """The part of the stage PANEL: votes and one decision for each candidate."""
    desk, pool = run.desk, read_pool(run.place.objects_url, shard.pool)
    stored = (candidate for name in shard.made for candidate in candidates_in(run.parts.read(*name)))
    candidates = {candidate.id: candidate for candidate in stored}
    facts = PartFacts(shard.key, Stage.PANEL, {"identity": shard.identity}, shard.subtype, seed=shard.seed)
    with new_part(facts, run.place) as rows:
        chosen = (candidates[name] for name in shard.candidates)
        work = [judge_candidate(candidate, pool[candidate.parent], shard.seed, desk) for candidate in chosen]
        for judged in desk.run(gather_all(work)):
            rows += [*judged.rows, *decision_rows(judged.decision)]


async def judge_candidate(candidate: FlawedSample, parent: Sample, seed: int, desk: Desk) -> Judged:
    """Nothing is asked where fewer than two validators may judge, where a provider would refuse one of them a picture,
    or after a blind solve."""
    panel = desk.models.panel
    validators = choose_panel(desk.models, touched_families(candidate, parent), seed, candidate.id)
    if isinstance(validators, Shortage):
        return Judged([], drop_for_shortage(candidate, validators, panel_name(panel.rule)))
    made = [picture for picture in candidate.pictures if picture not in parent.pictures]
    refused = await asyncio.to_thread(_find_refused, made, [validator.name for validator in validators], desk)
    if refused:
        decided_by = panel_name(panel.rule)
        return Judged([], drop(candidate, Stage.PANEL, decided_by, DropReason.PICTURE_REFUSED, refused))
    asking = desk.asking(Stage.PANEL, candidate.id, candidate.subtype, {})
    if needs_blind_solve(candidate) and parent.answer is not None:
        blind = decide_blind(
            candidate, await asking.ask(propose_blind_solve(candidate, parent), validators[0].name), parent
        )
        if not blind.keep:
            return Judged(rows_of_calls(asking, candidate.id), blind)
    proposal = propose_validation(candidate, parent, show_original=panel.show_original)
    answers = await gather_all([asking.ask(proposal, validator.name) for validator in validators])
    votes = [vote for answer in answers for vote in read_votes(candidate, answer)]
    rows = [*rows_of_calls(asking, candidate.id), *(row for vote in votes for row in vote_rows(vote))]
    return Judged(rows, decide_by_votes(candidate, votes, panel.rule))


def _find_refused(pictures: Sequence[Picture], validators: Sequence[str], desk: Desk) -> str | None:
    """Of made pictures: those of the pool were looked at before. Asks the object store."""
    for name in validators:
        spec = desk.models.models[name]
        refused = check_pictures(spec.provider, pictures, spec.scale_pictures_to, desk.count_bytes)
        if refused:
            return f"{refused} Set `models.{name}.scale_pictures_to`."
    return None


def judge_twins(shard: TwinShard, run: Run) -> None:
    """The part of the stage TWIN: votes and one decision for each unmodified sample (M-43)."""
    desk, pool = run.desk, read_pool(run.place.objects_url, shard.pool)
    facts = PartFacts(shard.key, Stage.TWIN, {"identity": shard.identity}, seed=shard.seed)
    with new_part(facts, run.place) as rows:
        pairs = zip(shard.samples, shard.subtypes, strict=True)
        for judged in desk.run(gather_all([_judge_twin(pool[name], kind, shard.seed, desk) for name, kind in pairs])):
            rows += [*judged.rows, *decision_rows(judged.decision)]


async def _judge_twin(sample: Sample, subtype: Subtype, seed: int, desk: Desk) -> Judged:
    validators = choose_panel(desk.models, sample.families, seed, sample.id)
    if isinstance(validators, Shortage):
        return Judged([], _twin_decision(sample, False, "no_validator", validators.evidence))
    asking = desk.asking(Stage.TWIN, sample.id, subtype, {})
    proposal = propose_twin(sample)
    answers: list[Answer] = await gather_all([asking.ask(proposal, validator.name) for validator in validators])
    votes = [read_twin_vote(sample, subtype, answer) for answer in answers]
    valid = is_valid(votes)
    evidence = "; ".join(f"{vote.model}: {vote.verdict}" for vote in votes)
    rows = [*rows_of_calls(asking, sample.id), *(row for vote in votes for row in vote_rows(vote))]
    return Judged(rows, _twin_decision(sample, valid, None if valid else "not_valid", evidence))


def _twin_decision(sample: Sample, keep: bool, reason: str | None, evidence: str) -> Decision:
    return Decision(
        stage=Stage.TWIN,
        item=sample.id,
        output=sample.id if keep else None,
        keep=keep,
        reason=reason,
        evidence=evidence,
        decided_by="twins:all@1",
    )
