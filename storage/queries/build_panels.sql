-- Which models voted on each item that this build decided on by votes: its candidates and the unmodified questions? One
-- that was judged in another build alone was not judged for this one.
SELECT votes.item, string_agg(DISTINCT votes.model, '+' ORDER BY votes.model) AS panel
FROM votes
WHERE votes.item IN (
    SELECT decisions.item FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage IN ('panel', 'twin')
)
GROUP BY votes.item;
