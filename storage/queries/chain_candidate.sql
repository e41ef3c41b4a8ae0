-- What does the tested model see, what is wrong with it, what was changed, and which shard made it first?
WITH hit AS MATERIALIZED (FROM candidates WHERE id_key = item_key($id))
SELECT 'candidate' AS kind, id, subtype, generator, record ->> 'context' AS context, record ->> 'query' AS query,
    array_to_string(json_extract_string(record, '$.flaws[*].explanation'), ' ') AS flaw,
    array_to_string(json_extract_string(record, '$.flaws[*].edits[*].kind'), ', ') AS edits,
    nullif(array_to_string([
        concat('"', edit ->> 'before', '" became "', edit ->> 'after', '"')
        FOR edit IN json_extract(record, '$.flaws[*].edits[*]') IF edit ->> 'kind' = 'text_edit'
    ], '; '), '') AS changed,
    nullif(array_to_string(json_extract_string(record, '$.flaws[*].edits[*].measure.operation'), ', '), '') AS operation,
    list_avg(json_extract_string(record, '$.flaws[*].edits[*].measure.share')::DOUBLE[]) AS share,
    parent, record, shard_key
FROM hit WHERE id = $id;
