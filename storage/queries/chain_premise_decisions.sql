-- What was decided on this question or on the pair that it belongs to?
WITH mine AS MATERIALIZED (SELECT item FROM premise_questions WHERE id_key = item_key($id) AND id = $id),
hit AS MATERIALIZED (
    SELECT id, item, output, stage, subtype, keep, reason, evidence, decided_by FROM decisions
    WHERE item_key IN (item_key($id), (SELECT item_key(item) FROM mine))
),
found AS (
    SELECT 'decided' AS relation, * FROM hit WHERE item = $id OR item = (SELECT item FROM mine)
    UNION ALL
    SELECT 'produced_by', id, item, output, stage, subtype, keep, reason, evidence, decided_by FROM decisions
    WHERE item_key = item_key($above) AND item = $above AND output = (SELECT item FROM mine)
)
SELECT relation, 'decision' AS kind, id, stage, subtype, keep, reason, nullif(evidence, '') AS evidence, decided_by
FROM found
ORDER BY list_position(['inject', 'panel', 'select', 'answer'], stage), id;
