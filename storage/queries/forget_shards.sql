-- Which shards are to be made anew, because models failed in them or refused? `forgotten` holds their keys. Their other rows
-- stay: they come again with the same ids.
DELETE FROM votes WHERE call IN (
    SELECT id FROM calls WHERE shard_key IN (FROM forgotten) AND status IN ('failed', 'refused')
);

DELETE FROM premise_votes WHERE call IN (
    SELECT id FROM calls WHERE shard_key IN (FROM forgotten) AND status IN ('failed', 'refused')
);

DELETE FROM calls WHERE shard_key IN (FROM forgotten) AND status IN ('failed', 'refused');

DELETE FROM shards WHERE key IN (FROM forgotten);
