-- Which items of one kind does this build have, in its own order?
SELECT item_id, subtype, rank FROM build_items
WHERE build = $build AND kind = $kind
ORDER BY rank, item_id;
