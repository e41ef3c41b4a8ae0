"""Replies that were used for one item, as the lineage keeps them: who was asked what, what it cost and what came of
it."""

from dataclasses import replace

from core.calls import Answer, Call, Proposal
from core.identity import canonical_json
from core.model_specs import ModelSpec
from core.records import Stage
from core.taxonomy import AnySubtype
from models.base import Asked
from models.caller import Outcome


def call_rows(outcome: Outcome, stage: Stage, item: str, subtype: AnySubtype | None) -> tuple[Answer, tuple[Call, ...]]:
    """The answer, which now names the call that it came by, and one call for each reply on the way, in order."""
    calls = tuple(_row(asked, outcome.proposal, outcome.spec, stage, item, subtype) for asked in outcome.asked)
    return replace(outcome.answer, call=calls[-1].id), calls


def _row(
    asked: Asked, proposal: Proposal, spec: ModelSpec, stage: Stage, item: str, subtype: AnySubtype | None
) -> Call:
    reply = asked.reply
    request, usage = reply.request, reply.usage
    return Call(
        reply=reply.key,
        stage=stage,
        role=proposal.role,
        item=item,
        subtype=subtype,
        provider=request.provider,
        model=request.model,
        model_reported=reply.model_reported,
        family=spec.family,
        base_url=request.base_url,
        prompt=proposal.prompt,
        prompt_hash=proposal.prompt_hash,
        parameters=canonical_json(request.parameters),
        draw=request.draw,
        status=reply.status,
        finish_reason=reply.finish_reason,
        attempts=reply.attempts,
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        reasoning_tokens=usage.reasoning,
        image_tokens=usage.image,
        cached_tokens=usage.cached,
        usd=reply.usd,
        price_date=reply.price_date,
        batch=reply.batch,
        latency_seconds=reply.latency_seconds,
        provider_request_id=reply.provider_request_id,
        asked=reply.asked,
    )
