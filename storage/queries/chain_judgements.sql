-- Which models were asked about this item, how did the validators vote, what did the annotators say?
WITH asked AS MATERIALIZED (FROM calls WHERE item_key = item_key($id)),
voted AS MATERIALIZED (FROM votes WHERE item_key = item_key($id)),
judged AS MATERIALIZED (FROM annotations WHERE item_key = item_key($id))
SELECT 'asked' AS relation, 'call' AS kind, id, stage, model, role, prompt, status, usd::DOUBLE AS usd,
    NULL AS criterion, NULL AS verdict, NULL AS evidence, NULL AS annotator, NULL AS round
FROM asked WHERE item = $id
UNION ALL
SELECT 'voted', 'vote', id, NULL, model, NULL, NULL, NULL, NULL, criterion, verdict, nullif(evidence, ''), NULL, NULL
FROM voted WHERE item = $id
UNION ALL
SELECT 'judged', 'annotation', id, NULL, NULL, NULL, NULL, nullif(array_to_string(flags, ', '), ''), NULL, NULL,
    concat_ws(', ', type_compliance, unanswerability), nullif(comment, ''), annotator, round
FROM judged WHERE item = $id
ORDER BY 1, stage, criterion, model, annotator, round, id;
