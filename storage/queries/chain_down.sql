-- What came of this item? `total` counts what the limit leaves out.
SELECT
    CASE e.relation WHEN 'injected_from' THEN 'became' WHEN 'takes_pictures_of' THEN 'gave_pictures_to'
        WHEN 'shows' THEN 'shown_in' WHEN 'masked_by' THEN 'masks' WHEN 'read_from' THEN 'became'
        WHEN 'publishes' THEN 'published_in' END AS relation,
    CASE left(e.child, 4) WHEN 'smp_' THEN 'sample' WHEN 'cnd_' THEN 'candidate' ELSE 'release' END AS kind,
    e.child AS id, c.subtype, c.generator, r.name, count(*) OVER () AS total
FROM (SELECT * FROM edges WHERE parent_key = item_key($id) AND parent = $id) AS e
LEFT JOIN candidates AS c ON c.id_key = e.child_key AND c.id = e.child
LEFT JOIN releases AS r ON r.id = e.child
ORDER BY relation, c.subtype, id
LIMIT $most;
