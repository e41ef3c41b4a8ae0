-- What is this picture?
SELECT 'picture' AS kind, sha256 AS id, media_type, width, height, format('{:016x}', perceptual_hash) AS perceptual_hash
FROM pictures WHERE sha256_key = item_key($id) AND sha256 = $id;
