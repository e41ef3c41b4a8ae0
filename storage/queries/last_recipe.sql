-- Which recipe did the newest run of a build use?
SELECT recipes.record
FROM runs
JOIN recipes ON recipes.id = runs.recipe_id
WHERE runs.build = $build
ORDER BY runs.started DESC
LIMIT 1;
