-- Which row of a source is this?
SELECT 'source_row' AS kind, $id AS id, split_part($id, ':', 1) AS source;
