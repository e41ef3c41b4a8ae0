-- What did this item come from? Pictures with their size.
SELECT e.relation,
    CASE WHEN e.relation IN ('shows', 'masked_by') THEN 'picture'
        WHEN e.relation = 'read_from' THEN 'source_row'
        WHEN e.relation = 'publishes' THEN 'candidate'
        ELSE 'sample' END AS kind,
    e.parent AS id, p.media_type, p.width, p.height
FROM (SELECT * FROM edges WHERE child_key = item_key($id) AND child = $id AND relation <> 'publishes') AS e
LEFT JOIN pictures AS p ON p.sha256_key = e.parent_key AND p.sha256 = e.parent
ORDER BY e.rowid;
