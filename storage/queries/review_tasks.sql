-- Which task shows which item, in the projects of the review of this build?
SELECT item, project, task, content_sha FROM review_tasks
WHERE build = $build
ORDER BY project, task;
