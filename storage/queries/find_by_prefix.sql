-- Which ids begin like this? `$end` is the first text after all that do.
SELECT 'sample' AS kind, id FROM samples WHERE id >= $start AND id < $end
UNION ALL SELECT 'candidate', id FROM candidates WHERE id >= $start AND id < $end
UNION ALL SELECT 'question', id FROM premise_questions WHERE id >= $start AND id < $end
UNION ALL SELECT DISTINCT 'pair', pair FROM premise_questions WHERE pair >= $start AND pair < $end
UNION ALL SELECT 'answer', id FROM premise_answers WHERE id >= $start AND id < $end
UNION ALL SELECT 'premise_vote', id FROM premise_votes WHERE id >= $start AND id < $end
UNION ALL SELECT 'decision', id FROM decisions WHERE id >= $start AND id < $end
UNION ALL SELECT 'call', id FROM calls WHERE id >= $start AND id < $end
UNION ALL SELECT 'vote', id FROM votes WHERE id >= $start AND id < $end
UNION ALL SELECT 'annotation', id FROM annotations WHERE id >= $start AND id < $end
UNION ALL SELECT 'picture', sha256 FROM pictures WHERE sha256 >= $start AND sha256 < $end
UNION ALL SELECT 'run', id FROM runs WHERE id >= $start AND id < $end
UNION ALL SELECT 'recipe', id FROM recipes WHERE id >= $start AND id < $end
UNION ALL SELECT 'shard', key FROM shards WHERE key >= $start AND key < $end
UNION ALL SELECT 'release', id FROM releases WHERE id >= $start AND id < $end
ORDER BY id
LIMIT $most;
