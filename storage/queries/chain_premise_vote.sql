-- Did what is to be true hold in the picture, did what is to be false not, and who looked?
WITH hit AS MATERIALIZED (FROM premise_votes WHERE id_key = item_key($id))
SELECT 'premise_vote' AS kind, id, premise, replacement, model, family, nullif(evidence, '') AS evidence, call, item,
    shard_key
FROM hit WHERE id = $id;
