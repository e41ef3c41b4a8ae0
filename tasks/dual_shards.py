"""The work of one shard of samples with two flaws (M-47), in the process of the flow: kept candidates get a second
flaw, go through the filters and before the panel again, all on record in one part."""

from core.calls import Role
from core.pictures import pixels_from
from core.recipe import MissingInstructionRecipe
from core.records import FlawedSample, Sample, Stage
from core.seeding import stream
from core.taxonomy import DUAL_KINDS, Subtype
from filters.integrity import check
from filters.validators import Shortage, touched_families
from injectors.base import Injection, InjectionContext, PromptContext, Rejection, RejectionReason
from injectors.prompted.combined import join, left_by
from injectors.registry import INJECTORS, PROMPT_INJECTORS
from storage.parts import Row
from storage.rows import candidate_rows, decision_rows
from tasks.conversations import converse
from tasks.decisions import decide
from tasks.desk import Asking
from tasks.judged_shards import judge_candidate
from tasks.named_validators import choose_panel
from tasks.prompted_shards import rows_of_calls
from tasks.runs import Run
from tasks.shards import PartFacts, new_part
from tasks.specs import DualShard

_QUERY_ONLY = MissingInstructionRecipe(mode="query_only")


def make_duals(shard: DualShard, run: Run) -> None:
    """One part with candidates, decisions of all stages, calls and votes."""
    firsts = {candidate.id: candidate for candidate in run.lineage.candidates(shard.build)}
    parents = run.lineage.samples(firsts[name].parent for name in shard.firsts)
    donors = run.lineage.samples(name for name in shard.donors if name)
    donor_of = dict(zip(shard.firsts, shard.donors, strict=False))
    facts = PartFacts(shard.key, Stage.INJECT, {"dual": shard.kind, "identity": shard.identity}, seed=shard.seed)
    with new_part(facts, run.place) as rows:
        work = [
            _make_dual(first, parents[first.parent], donors.get(donor_of.get(first.id, "")), shard, run)
            for first in (firsts[name] for name in shard.firsts)
        ]
        for made in run.await_all(work):
            rows += made


async def _make_dual(
    candidate: FlawedSample, parent: Sample, donor: Sample | None, shard: DualShard, run: Run
) -> list[Row]:
    asking = run.asking(Stage.INJECT, parent.id, DUAL_KINDS[shard.kind].second, {Role.GENERATOR: shard.generator})
    made = _refuse_unjudgeable(candidate, parent, shard, run) or _first_flaw(candidate, parent, shard, run)
    if isinstance(made, Injection):
        second = await _second_flaw(made, parent, donor, shard, asking, run)
        made = second if isinstance(second, Rejection) else join(parent, made, second)
    outcome = made if isinstance(made, Rejection) else made.candidate.id
    decided_by = f"{shard.kind}@{shard.injector_version}"
    decision = decide(Stage.INJECT, parent.id, candidate.subtype, outcome, decided_by)
    rows = decision_rows(decision)
    if isinstance(made, Injection):
        rows += [*candidate_rows(made.candidate), *await _judge(made.candidate, parent, shard, run)]
    return rows + rows_of_calls(asking, decision.output or parent.id)


def _refuse_unjudgeable(candidate: FlawedSample, parent: Sample, shard: DualShard, run: Run) -> Rejection | None:
    """Where the families of both flaws leave fewer than two validators: nothing is paid for what would be dropped."""
    models = run.recipe.judging
    if models is None:
        return None
    touched = touched_families(candidate, parent)
    if shard.generator:
        touched |= {models.models[shard.generator].family}
    pair = choose_panel(models, touched, shard.seed, candidate.id)
    return Rejection(RejectionReason.NO_VALIDATOR, pair.evidence) if isinstance(pair, Shortage) else None


def _first_flaw(candidate: FlawedSample, parent: Sample, shard: DualShard, run: Run) -> Injection | Rejection:
    """The candidate as it is; a missing instruction is made anew, of the query alone, since the text must stay for its
    picture to be a wrong one (A6)."""
    if candidate.subtype is not Subtype.MISSING_INSTRUCTION:
        return Injection(candidate)
    context = InjectionContext(
        stream(shard.seed, parent.id, candidate.subtype), pixels_from(run.objects.get), missing_instruction=_QUERY_ONLY
    )
    return INJECTORS[Subtype.MISSING_INSTRUCTION].apply(parent, context)


async def _second_flaw(
    first: Injection, parent: Sample, donor: Sample | None, shard: DualShard, asking: Asking | None, run: Run
) -> Injection | Rejection:
    subtype, sample = DUAL_KINDS[shard.kind].second, left_by(parent, first)
    drawn = stream(shard.seed, parent.id, shard.kind)
    if not shard.generator or asking is None:
        return INJECTORS[subtype].apply(sample, InjectionContext(drawn, pixels_from(run.objects.get), donor=donor))
    context = PromptContext(drawn, run.desk.read_picture, run.desk.models.few_shot)
    return await converse(PROMPT_INJECTORS[subtype], sample, context, asking)


async def _judge(candidate: FlawedSample, parent: Sample, shard: DualShard, run: Run) -> list[Row]:
    filtered = check(candidate, parent, pixels_from(run.objects.get), run.recipe.degradation)
    rows = decision_rows(filtered)
    if filtered.keep and run.recipe.judging:
        judged = await judge_candidate(candidate, parent, shard.seed, run.desk)
        rows += [*judged.rows, *decision_rows(judged.decision)]
    return rows
