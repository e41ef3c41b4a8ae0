-- Which models were asked about this question or its pair, what did the second family see, and what is to be answered?
WITH mine AS MATERIALIZED (SELECT item FROM premise_questions WHERE id_key = item_key($id) AND id = $id),
asked AS MATERIALIZED (FROM calls WHERE item_key IN (item_key($id), (SELECT item_key(item) FROM mine))),
voted AS MATERIALIZED (FROM premise_votes WHERE item_key IN (item_key($id), (SELECT item_key(item) FROM mine))),
answered AS MATERIALIZED (FROM premise_answers WHERE question_key = item_key($id))
SELECT 'asked' AS relation, 'call' AS kind, id, stage, model, role, prompt, status, usd::DOUBLE AS usd, NULL AS premise,
    NULL AS replacement, NULL AS evidence
FROM asked WHERE item = $id OR item = (SELECT item FROM mine)
UNION ALL
SELECT 'verified', 'premise_vote', id, NULL, model, NULL, NULL, NULL, NULL, premise, replacement, nullif(evidence, '')
FROM voted WHERE item = $id OR item = (SELECT item FROM mine)
UNION ALL
SELECT 'answered_by', 'answer', id, NULL, generator, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM answered WHERE question = $id
ORDER BY 1, list_position(['inject', 'panel', 'answer'], stage), role, model, id;
