-- Which projects of Label Studio does the review of this build use?
SELECT build, round, annotator, url, project, "user", screen_sha, pulled, pulls FROM review_projects
WHERE build = $build
ORDER BY round, annotator;
