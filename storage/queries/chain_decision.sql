-- What was decided, on which item, for which reason?
SELECT 'decision' AS kind, id, stage, subtype, keep, reason, evidence, decided_by, item, output, shard_key
FROM decisions WHERE id_key = item_key($id) AND id = $id;
