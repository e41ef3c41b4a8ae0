-- What are the premise questions of a build, in its order, and in which split does each stand?
SELECT premise_questions.id, premise_questions.record, premise_splits.split
FROM build_items
JOIN premise_questions ON premise_questions.id = build_items.item_id
JOIN premise_splits ON premise_splits.question = build_items.item_id AND premise_splits.build = build_items.build
WHERE build_items.build = $build AND build_items.kind = 'question'
ORDER BY build_items.rank, build_items.item_id;
