-- With which prompts were models asked in the shards that this build is made of, and about its candidates? Shards are
-- found by its decisions, not by its runs: one may have been computed in a run of another build. Where another rule was
-- applied to stored votes, the decisions of the panel are new and its calls are found by the candidates. A candidate with
-- two flaws was made from one that has its first flaw alone, in another build: what was asked about that one, and to put
-- their question in other words, counts too.
WITH member AS (
    SELECT candidates.id, candidates.parent, candidates.flaws FROM build_items
    JOIN candidates ON candidates.id = build_items.item_id
    WHERE build_items.build = $build AND build_items.kind = 'candidate'
),
first AS (
    SELECT single.id FROM member
    JOIN flaws AS mine ON mine.candidate = member.id AND mine.position = 0
    JOIN candidates AS single ON single.parent = member.parent AND single.flaws = 1
    JOIN flaws AS its ON its.candidate = single.id AND its.subtype = mine.subtype AND its.generator = mine.generator
        AND its.injector_version = mine.injector_version AND its.explanation = mine.explanation
    WHERE member.flaws > 1
)
SELECT DISTINCT prompt FROM calls
WHERE shard_key IN (
    SELECT decisions.shard_key FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision'
) OR item IN (SELECT id FROM member UNION ALL SELECT id FROM first)
    OR (stage = 'rewrite' AND item IN (SELECT parent FROM member))
ORDER BY prompt;
