-- What was decided on this item, and which decision brought it into being?
SELECT CASE WHEN item = $id THEN 'decided' ELSE 'produced_by' END AS relation, 'decision' AS kind, id, stage, subtype,
    keep, reason, evidence, decided_by, CASE WHEN output <> item AND output <> $id THEN output END AS output
FROM decisions
WHERE (item_key = item_key($id) AND item = $id) OR (output_key = item_key($id) AND output = $id)
ORDER BY list_position(['read', 'sample', 'inject', 'filter', 'select'], stage), subtype, id;
