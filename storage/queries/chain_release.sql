-- What was published under this name?
SELECT 'release' AS kind, id, name, build, manifest_sha256, rows, code_commit, created, run_id
FROM releases WHERE id = $id;
