-- Of which picture and kind is this pair?
WITH hit AS MATERIALIZED (FROM premise_questions WHERE item_key = item_key($id))
SELECT 'pair' AS kind, item AS id, any_value(subtype) AS subtype, any_value(premise) AS premise,
    any_value(replacement) AS replacement, count(*) AS questions, any_value(sample) AS item, any_value(shard_key) AS shard_key
FROM hit WHERE pair = $id
GROUP BY item;
