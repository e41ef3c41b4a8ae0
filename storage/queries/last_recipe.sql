-- Which recipe is a build made from: that of the newest run that built it, else of the newest that added to it?
SELECT recipes.record
FROM runs
JOIN recipes ON recipes.id = runs.recipe_id
WHERE runs.build = $build
ORDER BY runs.flow = 'build-benchmark' DESC, runs.started DESC
LIMIT 1;
