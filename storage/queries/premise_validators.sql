-- Which models of a second family verified each item of a build?
SELECT premise_votes.item, string_agg(DISTINCT premise_votes.model, '+' ORDER BY premise_votes.model) AS verified
FROM premise_votes
WHERE premise_votes.item IN (
    SELECT decisions.item FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'panel'
)
GROUP BY premise_votes.item;
