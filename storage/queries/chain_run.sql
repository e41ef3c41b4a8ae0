-- What was this run asked to do, and how did it end?
SELECT 'run' AS kind, id, build, flow, code_commit, seed, parameters, started, finished, outcome, recipe_id
FROM runs WHERE id = $id;
