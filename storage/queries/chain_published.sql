-- Which releases publish this candidate?
WITH hit AS MATERIALIZED (FROM release_items WHERE candidate_key = item_key($id))
SELECT 'published_in' AS relation, 'release' AS kind, r.id, r.name
FROM hit JOIN releases AS r ON r.id = hit.release
WHERE hit.candidate = $id
ORDER BY r.created, r.id;
