-- How many items of this build came to each stage, and for which reason did how many leave it? Counted by source for what
-- happens to questions and by subtype for what happens to candidates; with a source, of its questions alone. The source
-- of a row that was read stands in its name, `SOURCE:ROW`; that of a sample is looked up.
WITH member AS (SELECT join_key FROM build_items WHERE build = $build AND kind = 'decision'),
own AS (
    SELECT id FROM samples WHERE source = $source
    UNION ALL
    SELECT candidates.id FROM candidates JOIN samples ON samples.id = candidates.parent WHERE source = $source
),
sampled AS (
    SELECT stage, item, keep, reason FROM decisions JOIN member USING (join_key)
    WHERE stage IN ('sample', 'rewrite', 'twin')
)
SELECT stage, split_part(item, ':', 1) AS part, keep, reason, count(*) AS items
FROM decisions JOIN member USING (join_key)
WHERE stage = 'read' AND ($source IS NULL OR part = $source)
GROUP BY ALL
UNION ALL
SELECT sampled.stage, source, keep, reason, count(*)
FROM sampled JOIN samples ON samples.id = sampled.item
WHERE $source IS NULL OR source = $source
GROUP BY ALL
UNION ALL
SELECT stage, subtype, keep, reason, count(*)
FROM decisions JOIN member USING (join_key)
WHERE stage NOT IN ('read', 'sample', 'rewrite', 'twin') AND ($source IS NULL OR item IN (SELECT id FROM own))
GROUP BY ALL
ORDER BY ALL;
