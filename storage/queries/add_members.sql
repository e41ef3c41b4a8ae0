-- Which items does this build not have yet?
INSERT INTO build_items
SELECT $build, $kind, item_id, join_key(item_id), subtype, rank
FROM (FROM staged_items QUALIFY row_number() OVER (PARTITION BY item_id ORDER BY rank) = 1) AS new
WHERE NOT EXISTS (
    SELECT 1 FROM build_items AS old
    WHERE old.build = $build AND old.kind = $kind AND old.join_key = join_key(new.item_id)
        AND old.item_id = new.item_id
)
ORDER BY rank, item_id;
