-- What was decided on this item, and which decision on `$above`, what it came from, brought it into being?
WITH hit AS MATERIALIZED (
    SELECT 'decided' AS relation, * FROM decisions WHERE item_key = item_key($id)
    UNION ALL
    SELECT 'produced_by', * FROM decisions WHERE item_key = item_key($above)
)
SELECT relation, 'decision' AS kind, id, stage, subtype, keep, reason, nullif(evidence, '') AS evidence, decided_by,
    CASE WHEN output NOT IN (item, $id) THEN output END AS output
FROM hit
WHERE (relation = 'decided' AND item = $id) OR (relation = 'produced_by' AND item = $above AND output = $id)
ORDER BY list_position(['read', 'sample', 'inject', 'filter', 'select'], stage), subtype, id;
