-- What did this item come from? Pictures with their size.
WITH hit AS MATERIALIZED (SELECT *, rowid AS place FROM edges WHERE child_key = item_key($id) AND relation <> 'publishes')
SELECT e.relation,
    CASE WHEN e.relation IN ('shows', 'masked_by') THEN 'picture'
        WHEN e.relation = 'read_from' THEN 'source_row'
        ELSE 'sample' END AS kind,
    e.parent AS id, p.media_type, p.width, p.height
FROM hit AS e LEFT JOIN pictures AS p ON p.sha256_key = e.parent_key AND p.sha256 = e.parent
WHERE e.child = $id
ORDER BY e.place;
