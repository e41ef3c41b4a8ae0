-- What was published by this run?
SELECT 'published' AS relation, 'release' AS kind, id, name, rows FROM releases WHERE run_id = $id ORDER BY created, id;
