-- Which recipe is a build made from: that of the newest run that decided what it holds, else of the newest that added to it?
SELECT recipes.record
FROM runs
JOIN recipes ON recipes.id = runs.recipe_id
WHERE runs.build = $build AND runs.flow <> 'plan-benchmark'
ORDER BY runs.flow IN ('build-benchmark', 'refilter-benchmark') DESC, runs.started DESC
LIMIT 1;
