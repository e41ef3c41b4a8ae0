-- Which runs used this recipe?
SELECT 'used_by' AS relation, 'run' AS kind, id, build, flow, started, outcome FROM runs WHERE recipe_id = $id
ORDER BY started, id;
