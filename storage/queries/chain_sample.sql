-- What is this sample, and which shard made it first?
WITH hit AS MATERIALIZED (FROM samples WHERE id_key = item_key($id))
SELECT 'sample' AS kind, id, source, subject, language, licence, record ->> 'context' AS context,
    record ->> 'query' AS query, record ->> 'answer' AS answer, record ->> 'attribution' AS attribution,
    concat(source, ':', source_id) AS source_row, record, shard_key
FROM hit WHERE id = $id;
