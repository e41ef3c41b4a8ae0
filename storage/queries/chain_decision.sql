-- What was decided, on which item, for which reason?
WITH hit AS MATERIALIZED (FROM decisions WHERE join_key = join_key($id))
SELECT 'decision' AS kind, id, stage, subtype, keep, reason, nullif(evidence, '') AS evidence, decided_by, item, output,
    shard_key
FROM hit WHERE id = $id;
