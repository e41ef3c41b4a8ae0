-- Which questions does this pair hold?
WITH hit AS MATERIALIZED (FROM premise_questions WHERE item_key = item_key($id))
SELECT 'holds' AS relation, 'question' AS kind, id, label, question FROM hit
WHERE pair = $id
ORDER BY label DESC, id;
