-- What is in this release, by subtype?
SELECT 'publishes' AS relation, 'subtype' AS kind, c.subtype AS id, count(*) AS candidates
FROM release_items AS r JOIN candidates AS c ON c.id_key = r.candidate_key AND c.id = r.candidate
WHERE r.release = $id
GROUP BY c.subtype ORDER BY c.subtype;
