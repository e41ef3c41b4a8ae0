-- Which run starts here? Its end is filled in later.
INSERT OR IGNORE INTO runs
VALUES ($id, $build, $flow, $recipe_id, $code_commit, $seed, $parameters, $started, NULL, NULL);
