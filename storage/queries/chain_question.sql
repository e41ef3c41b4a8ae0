-- What is asked, what does it state, and does that hold?
WITH hit AS MATERIALIZED (FROM premise_questions WHERE id_key = item_key($id))
SELECT 'question' AS kind, id, subtype, label, question, stated, premise, replacement,
    record ->> '$.premise.caption' AS caption, pair, generator, sample AS parent, record, shard_key
FROM hit WHERE id = $id;
