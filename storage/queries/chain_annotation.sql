-- What did this annotator say of which item, when, and does it count?
SELECT 'annotation' AS kind, id, annotator, round, concat_ws(', ', type_compliance, unanswerability) AS verdict,
    nullif(comment, '') AS evidence, nullif(array_to_string(flags, ', '), '') AS flags, seconds, control, created, item
FROM annotations WHERE id = $id;
