-- Which rows would a quarter of the large lineage hold? Samples $first to $last - 1 with twelve candidates each, as rows of
-- the real shape: the text of a candidate is that of its sample with one span changed.
CREATE OR REPLACE TEMP TABLE made_samples AS
SELECT 'smp_' || md5('s' || s) AS id, item_key('smp_' || md5('s' || s)) AS id_key, s,
    sha256('p' || s) AS picture, sha256('shard' || (s // 50)) AS shard_key,
    array_to_string([md5(concat(s % 7919, w))[:1 + hash(s, w) % 9] FOR w IN range(60)], ' ') AS context
FROM range($first, $last) AS t (s);

CREATE OR REPLACE TEMP TABLE made AS
SELECT 'cnd_' || md5(concat('c', s, '-', k)) AS id, item_key('cnd_' || md5(concat('c', s, '-', k))) AS id_key,
    m.id AS parent, m.id_key AS parent_key, m.picture, m.context, s, k,
    ['ambiguity', 'unclear_intent', 'cross_modal_contradiction', 'inter_visual_contradiction',
     'intra_textual_contradiction', 'light_missing_visual_premise', 'medium_missing_visual_premise',
     'severe_missing_visual_premise', 'missing_image', 'missing_instruction', 'mismatch', 'beyond_capability'][k + 1]
        AS subtype,
    sha256(concat('shard', k, '-', s // 50)) AS shard_key
FROM made_samples AS m, range(12) AS t (k)
ORDER BY s // 50, k, s;

INSERT OR IGNORE INTO shards
SELECT DISTINCT shard_key, 'inject', subtype, NULL, 1, 42, '{}', 'run_0', 'c0ffee', now(), 1.5, 50 FROM made;

INSERT OR IGNORE INTO shards
SELECT DISTINCT shard_key, 'read', NULL, 'emma', NULL, 42, '{}', 'run_0', 'c0ffee', now(), 1.5, 50 FROM made_samples;

INSERT INTO samples
SELECT id, id_key, 'emma', 'row-' || s, 'physics', 'en', 'CC-BY-4.0', 1, 0, len(context), false, shard_key,
    json_object('answer', '4', 'attribution', 'EMMA', 'context', context, 'query', 'Which force acts at ' || s || '?',
        'pictures', [json_object('sha256', picture, 'media_type', 'image/png', 'width', 640, 'height', 480)])
FROM made_samples;

INSERT INTO pictures SELECT picture, item_key(picture), 'image/png', 640, 480, hash(s) FROM made_samples;

INSERT INTO candidates
SELECT id, id_key, parent, subtype, 'rules', 1, 1, len(context), shard_key,
    json_object('context', context, 'query', 'Which thing acts at ' || s || '?', 'parent', parent, 'options', [],
        'pictures', [json_object('sha256', picture, 'media_type', 'image/png', 'width', 640, 'height', 480)],
        'flaws', [json_object('subtype', subtype, 'generator', 'rules', 'explanation', 'Nothing says which ' || k || '.',
            'edits', [json_object('kind', 'text_edit', 'part', 'query', 'start', 6, 'before', 'force',
                'after', 'thing')])])
FROM made;

INSERT INTO flaws
SELECT id, id_key, 0, subtype, 'rules', 1, [], ['text_edit'], 'Nothing says which ' || k || '.', NULL, NULL FROM made;

INSERT INTO edges
SELECT id, 'read_from', 'emma:row-' || s, item_key('emma:row-' || s) FROM made_samples
UNION ALL SELECT id, 'shows', picture, item_key(picture) FROM made_samples;

INSERT INTO edges
SELECT id, unnest(['injected_from', 'shows']), unnest([parent, picture]),
    unnest([parent_key, item_key(picture)])
FROM made;

CREATE OR REPLACE TEMP TABLE decided AS
SELECT 'dec_' || md5(concat(stage, item, output)) AS id, *
FROM (
    SELECT 'read' AS stage, 'emma:row-' || s AS item, id AS output, NULL AS subtype, true AS keep, shard_key
    FROM made_samples
    UNION ALL SELECT 'sample', id, id, NULL, true, shard_key FROM made_samples
    UNION ALL SELECT 'inject', parent, id, subtype, true, shard_key FROM made
    UNION ALL SELECT 'filter', id, id, subtype, s % 10 > 0, shard_key FROM made
    UNION ALL SELECT 'select', id, id, subtype, s % 4 > 0, shard_key FROM made WHERE s % 10 > 0
);

INSERT INTO decisions
SELECT id, join_key(id), stage, item, item_key(item), CASE WHEN keep THEN output END,
    subtype, keep,
    CASE WHEN NOT keep THEN if(stage = 'select', 'over_target', 'flaw_leaked_in_text') END, '', 'rules', shard_key
FROM decided;

INSERT INTO votes
SELECT 'vot_' || md5(concat(id, v)), id, id_key, subtype, if(v = 0, 'type_compliance', 'unanswerability'),
    if(hash(s, k, v) % 5 > 0, 'pass', 'fail'), 'model-' || v, 'family-' || v, 'call_' || md5(concat('call', id, v)), '',
    shard_key
FROM made, range(3) AS t (v);

INSERT INTO build_items SELECT 'large', 'decision', id, join_key(id), subtype, row_number() OVER () FROM decided;
INSERT INTO build_items SELECT 'large', 'candidate', id, join_key(id), subtype, row_number() OVER () FROM made;
INSERT INTO build_items SELECT 'large', 'sample', id, join_key(id), NULL, row_number() OVER () FROM made_samples;
