-- What is nobody asked any more?
DELETE FROM review_assignments
WHERE build = $build AND (item, round, annotator) IN (SELECT (item, round, annotator) FROM staged);
