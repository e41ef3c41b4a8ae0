-- How many items of each premise subtype came to each stage of this build, and why did the others leave?
WITH member AS (SELECT join_key FROM build_items WHERE build = $build AND kind = 'decision')
SELECT stage, subtype, keep, reason, count(*) AS items, count(DISTINCT item) AS subjects
FROM decisions JOIN member USING (join_key)
WHERE stage IN ('inject', 'panel', 'select', 'answer') AND list_contains($subtypes::VARCHAR[], subtype)
GROUP BY ALL
ORDER BY ALL;
