-- Which candidates of a build passed the programmatic filters?
SELECT candidates.id, candidates.record
FROM candidates
WHERE candidates.id IN (
    SELECT decisions.item FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'filter' AND decisions.keep
)
ORDER BY candidates.id;
