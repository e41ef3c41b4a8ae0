-- What did the replies that this build uses cost, by stage, model and subtype? A reply that several items share was paid
-- once: it counts for the first of them.
WITH used AS (
    SELECT calls.* FROM calls
    JOIN shards ON shards.key = calls.shard_key
    JOIN runs ON runs.id = shards.run_id
    WHERE runs.build = $build
),
paid AS (FROM used QUALIFY row_number() OVER (PARTITION BY reply ORDER BY asked, id) = 1)
SELECT stage, model, subtype, count(*) AS calls, count(*) FILTER (status <> 'ok') AS not_ok,
    coalesce(sum(prompt_tokens), 0)::UBIGINT AS prompt_tokens,
    coalesce(sum(completion_tokens), 0)::UBIGINT AS completion_tokens, sum(usd)::DOUBLE AS usd,
    count(*) FILTER (usd IS NULL) AS unpriced
FROM paid
GROUP BY ALL
ORDER BY stage, model, subtype;
