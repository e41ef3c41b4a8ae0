-- Which recipe is this?
SELECT 'recipe' AS kind, id, name, seed FROM recipes WHERE id = $id;
