-- How much did this run add, stage by stage?
SELECT 'computed' AS relation, 'stage' AS kind, concat_ws(' ', stage, subtype) AS id, count(*) AS shards,
    sum(rows)::BIGINT AS rows, round(sum(seconds), 3) AS seconds
FROM shards WHERE run_id = $id
GROUP BY stage, subtype
ORDER BY list_position(['read', 'sample', 'rewrite', 'inject', 'filter', 'panel', 'select', 'twin', 'answer'], stage), subtype;
