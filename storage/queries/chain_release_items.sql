-- What is in this release, by subtype?
SELECT 'publishes' AS relation, 'subtype' AS kind, c.subtype AS id, count(*) AS candidates
FROM edges AS e JOIN candidates AS c ON c.id_key = e.parent_key AND c.id = e.parent
WHERE e.child = $id AND e.relation = 'publishes'
GROUP BY c.subtype ORDER BY c.subtype;
