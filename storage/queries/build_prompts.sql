-- With which prompts were models asked in the shards that this build is made of? Shards are found by its decisions, not by
-- its runs: one may have been computed in a run of another build. Where another rule was applied to stored votes, the
-- decisions of the panel are new and its calls are found by the candidates. A candidate with two flaws was made from one
-- that has its first flaw alone, in another build: the prompts that made that one, or put its question in other words,
-- count too.
WITH decided AS (
    SELECT decisions.stage, decisions.item, decisions.shard_key
    FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision'
),
dual AS (
    SELECT candidates.id, candidates.parent FROM build_items JOIN candidates ON candidates.id = build_items.item_id
    WHERE build_items.build = $build AND build_items.kind = 'candidate' AND candidates.flaws > 1
),
single AS (
    SELECT candidates.id FROM dual
    JOIN flaws AS mine ON mine.candidate = dual.id AND mine.position = 0
    JOIN candidates ON candidates.parent = dual.parent AND candidates.flaws = 1
    JOIN flaws AS its ON its.candidate = candidates.id AND its.subtype = mine.subtype
        AND its.generator = mine.generator AND its.injector_version = mine.injector_version
        AND its.explanation = mine.explanation
)
SELECT DISTINCT prompt FROM calls
WHERE shard_key IN (SELECT shard_key FROM decided)
    OR (stage = 'panel' AND item IN (SELECT item FROM decided WHERE stage = 'panel'))
    OR (stage = 'inject' AND item IN (SELECT id FROM single))
    OR (stage = 'rewrite' AND item IN (SELECT parent FROM dual))
ORDER BY prompt;
