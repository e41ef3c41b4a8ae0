"""The work of one shard that asks models, in the process of the flow: its samples are put before the models all at
once, and what comes of them becomes one part, as it does for rules."""

import asyncio

from core.calls import Role
from core.records import Sample, Stage
from core.seeding import stream
from injectors.base import Injection, PromptContext, Rejection
from injectors.prompted import source_rewriting
from injectors.registry import PROMPT_INJECTORS
from storage.parts import Row
from storage.rows import call_rows, candidate_rows, decision_rows, sample_rows
from tasks.conversations import converse
from tasks.decisions import decide
from tasks.desk import Asking, Desk, gather_all
from tasks.runs import Run
from tasks.shards import PartFacts, new_part, read_pool
from tasks.specs import PromptShard, RewriteShard


def inject_by_models(shard: PromptShard, run: Run) -> None:
    """The part of the stage INJECT."""
    desk, pool = run.desk, read_pool(run.place.objects_url, shard.pool)
    facts = PartFacts(
        shard.key,
        Stage.INJECT,
        {"generator": shard.generator, "identity": shard.identity},
        shard.subtype,
        injector_version=shard.injector_version,
        seed=shard.seed,
    )
    with new_part(facts, run.place) as rows:
        for made in desk.run(gather_all([_inject(pool[sample], shard, desk) for sample in shard.samples])):
            rows += made


async def _inject(sample: Sample, shard: PromptShard, desk: Desk) -> list[Row]:
    roles = {Role.GENERATOR: shard.generator}
    if desk.models.image_editor:
        roles[Role.IMAGE_EDITOR] = desk.models.image_editor
    asking = desk.asking(Stage.INJECT, sample.id, shard.subtype, roles)
    context = PromptContext(stream(shard.seed, sample.id, shard.subtype), desk.read_picture, desk.models.few_shot)
    result = await converse(PROMPT_INJECTORS[shard.subtype], sample, context, asking)
    if isinstance(result, Injection):
        for blob in result.blobs:
            await asyncio.to_thread(desk.store_picture, blob)
    made = result if isinstance(result, Rejection) else result.candidate.id
    decision = decide(Stage.INJECT, sample.id, shard.subtype, made, f"{shard.subtype}@prompt{shard.injector_version}")
    rows = [*(candidate_rows(result.candidate) if isinstance(result, Injection) else []), *decision_rows(decision)]
    return rows + rows_of_calls(asking, decision.output or sample.id)


def rewrite_by_model(shard: RewriteShard, run: Run) -> None:
    """The part of the stage REWRITE: the new samples, and a decision on every old one."""
    desk, pool = run.desk, read_pool(run.place.objects_url, shard.pool)
    facts = PartFacts(shard.key, Stage.REWRITE, {"identity": shard.identity}, seed=shard.seed)
    with new_part(facts, run.place) as rows:
        for made in desk.run(gather_all([_rewrite(pool[sample], shard, desk) for sample in shard.samples])):
            rows += made


async def _rewrite(sample: Sample, shard: RewriteShard, desk: Desk) -> list[Row]:
    asking = desk.asking(Stage.REWRITE, sample.id, None, {Role.REWRITER: desk.models.rewriter or ""})
    context = PromptContext(stream(shard.seed, sample.id, "rewrite"), desk.read_picture, desk.models.few_shot)
    result = await converse(source_rewriting, sample, context, asking)
    made = result if isinstance(result, Rejection) else result.id
    decision = decide(Stage.REWRITE, sample.id, None, made, f"rewriting@{source_rewriting.VERSION}")
    rows = [*(sample_rows(result, ()) if isinstance(result, Sample) else []), *decision_rows(decision)]
    return rows + rows_of_calls(asking, decision.output or sample.id)


def rows_of_calls(asking: Asking | None, item: str) -> list[Row]:
    """All calls, filed under what came of them; none where no model was asked."""
    calls = asking.calls if asking else []
    return [row for call in calls for row in call_rows(call.model_copy(update={"item": item}))]
