-- To which builds does this item belong, and at which place? Items of one kind were stored together, so naming the kind
-- spares reading most of the table.
WITH hit AS MATERIALIZED (FROM build_items WHERE kind = $kind AND join_key = join_key($id))
SELECT 'member_of' AS relation, 'build' AS kind, build AS id, rank FROM hit
WHERE item_id = $id
ORDER BY build;
