-- Which models voted on each candidate of this build?
SELECT votes.item, string_agg(DISTINCT votes.model, '+' ORDER BY votes.model) AS panel
FROM votes
WHERE votes.criterion <> 'validity' AND votes.item IN (
    SELECT item_id FROM build_items WHERE build = $build AND kind = 'candidate'
)
GROUP BY votes.item;
