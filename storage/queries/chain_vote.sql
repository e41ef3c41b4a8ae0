-- How did this validator vote, on which item, in which call?
SELECT 'vote' AS kind, id, criterion, verdict, nullif(evidence, '') AS evidence, model, subtype, item, call, shard_key
FROM votes WHERE id = $id;
