-- How many votes did validators give on candidates that the panel of this build decided on, by subtype? With a source, of
-- its questions alone.
SELECT decisions.subtype, count(*)
FROM build_items
JOIN decisions ON decisions.join_key = build_items.join_key AND decisions.stage = 'panel'
JOIN votes ON votes.item = decisions.item
WHERE build_items.build = $build AND build_items.kind = 'decision' AND ($source IS NULL OR decisions.item IN (
    SELECT candidates.id FROM candidates JOIN samples ON samples.id = candidates.parent WHERE source = $source
))
GROUP BY decisions.subtype;
