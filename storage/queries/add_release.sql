-- Is this release new? Only then is a row returned.
INSERT OR IGNORE INTO releases
VALUES ($id, $name, $build, $run_id, $recipe_id, $code_commit, $manifest_sha256, $rows, $created)
RETURNING id;
