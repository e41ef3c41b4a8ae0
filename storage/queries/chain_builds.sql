-- To which builds does this item belong, and at which place?
SELECT 'member_of' AS relation, 'build' AS kind, build AS id, rank FROM build_items
WHERE item_key = item_key($id) AND item_id = $id
ORDER BY build;
