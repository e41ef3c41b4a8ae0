-- Which models were asked about this item, how did the validators vote, what did the annotators say?
SELECT 'asked' AS relation, 'call' AS kind, id, stage, model, role, prompt, status, usd::DOUBLE AS usd,
    NULL AS criterion, NULL AS verdict, NULL AS evidence, NULL AS annotator, NULL AS round
FROM calls WHERE item_key = item_key($id) AND item = $id
UNION ALL
SELECT 'voted', 'vote', id, NULL, model, NULL, NULL, NULL, NULL, criterion, verdict, nullif(evidence, ''), NULL, NULL
FROM votes WHERE item_key = item_key($id) AND item = $id
UNION ALL
SELECT 'judged', 'annotation', id, NULL, NULL, NULL, NULL, nullif(array_to_string(flags, ', '), ''), NULL, NULL,
    concat_ws(', ', type_compliance, unanswerability), nullif(comment, ''), annotator, round
FROM annotations WHERE item_key = item_key($id) AND item = $id
ORDER BY 1, stage, criterion, model, annotator, round, id;
