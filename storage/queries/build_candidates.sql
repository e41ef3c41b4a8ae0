-- What are the candidates of a build, in its order?
SELECT candidates.id, candidates.record
FROM build_items
JOIN candidates ON candidates.id = build_items.item_id
WHERE build_items.build = $build AND build_items.kind = 'candidate'
ORDER BY build_items.rank, build_items.item_id;
