-- Of which kind is the item with this id? A release may be called by its name.
SELECT 'sample' AS kind, id FROM samples WHERE id_key = item_key($id) AND id = $id
UNION ALL SELECT 'candidate', id FROM candidates WHERE id_key = item_key($id) AND id = $id
UNION ALL SELECT 'decision', id FROM decisions WHERE id_key = item_key($id) AND id = $id
UNION ALL SELECT 'picture', sha256 FROM pictures WHERE sha256_key = item_key($id) AND sha256 = $id
UNION ALL SELECT 'run', id FROM runs WHERE id = $id
UNION ALL SELECT 'recipe', id FROM recipes WHERE id = $id
UNION ALL SELECT 'shard', key FROM shards WHERE key = $id
UNION ALL (SELECT 'release', id FROM releases WHERE id = $id OR name = $id ORDER BY created DESC LIMIT 1)
UNION ALL (SELECT 'source_row', parent FROM edges WHERE parent_key = item_key($id) AND parent = $id AND relation = 'read_from' LIMIT 1)
UNION ALL (SELECT 'source_row', item FROM decisions WHERE item_key = item_key($id) AND item = $id AND stage = 'read' LIMIT 1)
LIMIT 1;
