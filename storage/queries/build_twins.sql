-- Which unmodified questions of this build did the validators judge, and are they valid?
SELECT decisions.item, bool_and(decisions.keep) AS valid
FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'twin'
GROUP BY decisions.item;
