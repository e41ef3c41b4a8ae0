-- What is a model to be trained to say, and to which question?
WITH hit AS MATERIALIZED (FROM premise_answers WHERE id_key = item_key($id))
SELECT 'answer' AS kind, id, record ->> 'think' AS think, record ->> 'answer' AS answer, generator, question AS item,
    shard_key
FROM hit WHERE id = $id;
