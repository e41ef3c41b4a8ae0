-- Who judges what in the review of this build, in the order in which it was dealt?
SELECT item, subtype, round, annotator, control, criteria, informed FROM review_assignments
WHERE build = $build
ORDER BY round, position, annotator;
