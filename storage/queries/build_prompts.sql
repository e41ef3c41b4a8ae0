-- With which prompts were models asked in the shards that this build is made of? They are found by its decisions, not by
-- its runs: a shard may have been computed in a run of another build.
SELECT DISTINCT prompt FROM calls
WHERE shard_key IN (
    SELECT decisions.shard_key FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision'
)
ORDER BY prompt;
