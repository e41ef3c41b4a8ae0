-- From which recipes do the rows of each build (or of one) come, in the order in which they joined?
SELECT build_items.build, build_items.kind, recipes.record
FROM build_items JOIN recipes ON recipes.id = build_items.item_id
WHERE build_items.kind IN ('recipe', 'origin') AND ($build IS NULL OR build_items.build = $build)
ORDER BY build_items.build, build_items.kind, build_items.rank, build_items.item_id;
