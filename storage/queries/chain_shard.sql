-- What was computed in this shard, with what, in which run?
SELECT 'shard' AS kind, key AS id, stage, subtype, source, injector_version, seed, parameters, code_commit, started,
    seconds, rows, run_id
FROM shards WHERE key = $id;
