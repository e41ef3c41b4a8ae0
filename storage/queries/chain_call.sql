-- What was asked of which model, how did it end, what did it cost, and about which item was it?
WITH hit AS MATERIALIZED (FROM calls WHERE id_key = item_key($id))
SELECT 'call' AS kind, id, stage, role, subtype, model, model_reported, prompt, status, finish_reason, attempts,
    prompt_tokens, completion_tokens, usd::DOUBLE AS usd, latency_seconds, asked, reply, item, shard_key
FROM hit WHERE id = $id;
