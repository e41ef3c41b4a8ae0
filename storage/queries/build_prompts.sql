-- With which prompts were models asked in the shards that this build is made of, and about its candidates? Shards are
-- found by its decisions, not by its runs: one may have been computed in a run of another build. Where another rule was
-- applied to stored votes, the decisions of the panel are new and its calls are found by the candidates.
SELECT DISTINCT prompt FROM calls
WHERE shard_key IN (
    SELECT decisions.shard_key FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision'
) OR item IN (SELECT item_id FROM build_items WHERE build = $build AND kind = 'candidate')
ORDER BY prompt;
