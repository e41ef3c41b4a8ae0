-- Which stored replies do the calls of this build use?
SELECT DISTINCT calls.reply FROM calls
JOIN shards ON shards.key = calls.shard_key
JOIN runs ON runs.id = shards.run_id
WHERE runs.build = $build;
