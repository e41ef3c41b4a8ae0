-- Which of these assignments does the review of this build not have yet?
INSERT OR IGNORE INTO review_assignments
SELECT $build, item, round, annotator,
    position + (SELECT coalesce(max(position) + 1, 0) FROM review_assignments WHERE build = $build),
    subtype, control, criteria, informed
FROM staged;
