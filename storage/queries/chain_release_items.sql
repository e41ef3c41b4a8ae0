-- What is in this release, by subtype?
WITH published AS (FROM release_items WHERE release = $id),
found AS (
    SELECT c.subtype FROM published AS r JOIN candidates AS c ON c.id_key = r.candidate_key AND c.id = r.candidate
    UNION ALL
    SELECT q.subtype FROM published AS r JOIN premise_questions AS q ON q.id_key = r.candidate_key AND q.id = r.candidate
)
SELECT 'publishes' AS relation, 'subtype' AS kind, subtype AS id, count(*) AS candidates
FROM found
GROUP BY subtype ORDER BY subtype;
