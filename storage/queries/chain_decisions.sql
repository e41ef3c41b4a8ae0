-- What was decided on this item, and which decision on `$above`, what it came from, brought it into being?
WITH hit AS MATERIALIZED (
    SELECT id, item, output, stage, subtype, keep, reason, evidence, decided_by FROM decisions
    WHERE item_key = item_key($id)
),
found AS (
    SELECT 'decided' AS relation, * FROM hit WHERE item = $id
    UNION ALL
    SELECT 'produced_by', id, item, output, stage, subtype, keep, reason, evidence, decided_by FROM decisions
    WHERE item_key = item_key($above) AND item = $above AND output = $id
)
SELECT relation, 'decision' AS kind, id, stage, subtype, keep, reason, nullif(evidence, '') AS evidence, decided_by,
    CASE WHEN output NOT IN (item, $id) THEN output END AS output
FROM found
ORDER BY list_position(['read', 'sample', 'rewrite', 'inject', 'filter', 'panel', 'select', 'twin', 'answer'], stage), subtype, id;
