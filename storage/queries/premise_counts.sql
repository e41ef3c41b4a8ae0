-- How many questions of each subtype, label and split does this build have?
SELECT premise_questions.subtype, premise_questions.label, premise_splits.split, count(*) AS questions
FROM build_items
JOIN premise_questions ON premise_questions.id = build_items.item_id
JOIN premise_splits ON premise_splits.question = build_items.item_id AND premise_splits.build = build_items.build
WHERE build_items.build = $build AND build_items.kind = 'question'
GROUP BY ALL
ORDER BY ALL;
