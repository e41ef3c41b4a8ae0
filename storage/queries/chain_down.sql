-- What came of this item? `total` counts what the limit leaves out.
WITH hit AS MATERIALIZED (SELECT child, relation, parent FROM edges WHERE parent_key = item_key($id)),
offspring AS MATERIALIZED (
    SELECT id, subtype, generator FROM candidates
    WHERE id_key IN (SELECT item_key(child) FROM hit WHERE parent = $id)
    UNION ALL
    SELECT id, subtype, generator FROM premise_questions
    WHERE id_key IN (SELECT item_key(child) FROM hit WHERE parent = $id)
)
SELECT
    CASE e.relation WHEN 'takes_pictures_of' THEN 'gave_pictures_to' WHEN 'shows' THEN 'shown_in'
        WHEN 'masked_by' THEN 'masks' ELSE 'became' END AS relation,
    CASE left(e.child, 4) WHEN 'smp_' THEN 'sample' WHEN 'prq_' THEN 'question' ELSE 'candidate' END AS kind,
    e.child AS id, c.subtype, c.generator, count(*) OVER () AS total
FROM hit AS e LEFT JOIN offspring AS c ON c.id = e.child
WHERE e.parent = $id
ORDER BY relation, c.subtype, e.child
LIMIT $most;
