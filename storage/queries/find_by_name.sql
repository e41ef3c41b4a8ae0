-- Is there a picture, a shard, a release or a row of a source of this name?
WITH shown AS MATERIALIZED (SELECT sha256 FROM pictures WHERE sha256_key = item_key($id)),
read AS MATERIALIZED (SELECT parent, relation FROM edges WHERE parent_key = item_key($id)),
decided AS MATERIALIZED (SELECT item, stage FROM decisions WHERE item_key = item_key($id))
SELECT 'picture' AS kind, sha256 AS id FROM shown WHERE sha256 = $id
UNION ALL SELECT 'shard', key FROM shards WHERE key = $id
UNION ALL (SELECT 'release', id FROM releases WHERE name = $id ORDER BY created DESC LIMIT 1)
UNION ALL (SELECT 'source_row', parent FROM read WHERE parent = $id AND relation = 'read_from')
UNION ALL (SELECT 'source_row', item FROM decided WHERE item = $id AND stage = 'read')
LIMIT 1;
