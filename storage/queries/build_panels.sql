-- Which models voted on each candidate of this build, and on each unmodified question that its validators judged?
SELECT votes.item, string_agg(DISTINCT votes.model, '+' ORDER BY votes.model) AS panel
FROM votes
WHERE votes.item IN (
    SELECT item_id FROM build_items WHERE build = $build AND kind = 'candidate'
    UNION ALL
    SELECT decisions.item FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'twin'
)
GROUP BY votes.item;
