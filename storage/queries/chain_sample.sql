-- What is this sample, and which shard made it first?
SELECT 'sample' AS kind, id, source, subject, language, licence, record ->> 'context' AS context,
    record ->> 'query' AS query, record ->> 'answer' AS answer, record ->> 'attribution' AS attribution, shard_key
FROM samples WHERE id_key = item_key($id) AND id = $id;
