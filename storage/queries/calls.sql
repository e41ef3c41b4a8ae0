-- Which calls were made for this build (or any), of which stage, model and status and at what cost, dearest or newest
-- first? `$order` is 'cost' or 'time'; `total` counts what the limit leaves out.
SELECT calls.id, calls.asked, calls.stage, calls.role, calls.model, calls.model_reported, calls.item, calls.subtype,
    calls.prompt, calls.status, calls.finish_reason, calls.attempts, calls.draw, calls.prompt_tokens,
    calls.completion_tokens, calls.usd::DOUBLE AS usd, calls.latency_seconds, calls.reply, count(*) OVER () AS total
FROM calls
JOIN shards ON shards.key = calls.shard_key
JOIN runs ON runs.id = shards.run_id
WHERE ($build IS NULL OR runs.build = $build)
    AND ($stage IS NULL OR calls.stage = $stage)
    AND ($model IS NULL OR contains(calls.model, $model))
    AND ($status IS NULL OR calls.status = $status)
    AND ($cost_at_least IS NULL OR calls.usd >= $cost_at_least)
    AND (NOT $other_model OR calls.model_reported <> calls.model)
ORDER BY CASE WHEN $order = 'cost' THEN calls.usd END DESC NULLS LAST, calls.asked DESC, calls.id
LIMIT $most;
