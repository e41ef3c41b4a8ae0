-- Which votes were read out of the reply to this call?
WITH hit AS MATERIALIZED (FROM votes WHERE item_key = item_key($above))
SELECT 'gave' AS relation, 'vote' AS kind, id, criterion, verdict, nullif(evidence, '') AS evidence
FROM hit WHERE call = $id
ORDER BY criterion, id;
