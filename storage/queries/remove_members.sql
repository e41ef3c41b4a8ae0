-- Which items of this build are no longer wanted, or stand at another place? Unchanged ones stay, so that the same build
-- again writes nothing.
DELETE FROM build_items
WHERE build = $build AND kind = $kind AND NOT EXISTS (
    SELECT 1 FROM staged_items AS new
    WHERE new.item_id = build_items.item_id AND new.rank = build_items.rank
        AND new.subtype IS NOT DISTINCT FROM build_items.subtype
);
