-- Which id may have been meant? One slip leaves the first or the last eight characters as they are.
WITH ids AS (
    SELECT id FROM samples
    UNION ALL SELECT id FROM candidates
    UNION ALL SELECT id FROM premise_questions
    UNION ALL SELECT id FROM premise_answers
    UNION ALL SELECT id FROM decisions
    UNION ALL SELECT id FROM calls
    UNION ALL SELECT id FROM votes
    UNION ALL SELECT id FROM annotations
    UNION ALL SELECT sha256 FROM pictures
    UNION ALL SELECT id FROM runs
    UNION ALL SELECT id FROM recipes
    UNION ALL SELECT key FROM shards
    UNION ALL SELECT id FROM releases
    UNION ALL SELECT name FROM releases
)
SELECT id FROM ids
WHERE left(id, 8) = left($id, 8) OR right(id, 8) = right($id, 8)
ORDER BY levenshtein(id, $id), id
LIMIT 1;
