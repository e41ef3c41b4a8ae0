-- What was decided in this build at this stage?
SELECT decisions.stage, decisions.item, decisions.output, decisions.subtype, decisions.keep, decisions.reason,
    decisions.evidence, decisions.decided_by
FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = $stage
ORDER BY build_items.rank, decisions.id;
