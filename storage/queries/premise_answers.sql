-- What was answered to the questions of a build by the shards that belong to it? Of several the first by id.
SELECT premise_answers.id, premise_answers.record
FROM build_items
JOIN premise_answers ON premise_answers.question_key = item_key(build_items.item_id)
    AND premise_answers.question = build_items.item_id
WHERE build_items.build = $build AND build_items.kind = 'question'
    AND premise_answers.id IN (
        SELECT decisions.output FROM build_items AS decided
        JOIN decisions ON decisions.join_key = decided.join_key AND decisions.id = decided.item_id
        WHERE decided.build = $build AND decided.kind = 'decision' AND decisions.stage = 'answer'
    )
ORDER BY premise_answers.question, premise_answers.id;
