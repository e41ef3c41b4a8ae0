-- Which rows does a list in JSON hold, for the next statement?
CREATE OR REPLACE TEMP TABLE staged AS
SELECT unnest(from_json($rows, $columns), max_depth := 2);
