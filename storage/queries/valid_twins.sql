-- Of the rows of this build, by subtype: of how many did the validators judge the unmodified question, and of how many did
-- they call it valid? With a source, of its questions alone.
WITH judged AS (
    SELECT decisions.item, bool_and(decisions.keep) AS valid
    FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'twin'
    GROUP BY decisions.item
)
SELECT build_items.subtype, count(*) AS judged, count(*) FILTER (judged.valid) AS valid
FROM build_items
JOIN candidates ON candidates.id = build_items.item_id
JOIN judged ON judged.item = candidates.parent
JOIN samples ON samples.id = candidates.parent
WHERE build_items.build = $build AND build_items.kind = 'candidate' AND ($source IS NULL OR samples.source = $source)
GROUP BY build_items.subtype;
