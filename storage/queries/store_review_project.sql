-- What is known of this project from now on?
INSERT OR REPLACE INTO review_projects
VALUES ($build, $round, $annotator, $url, $project, $user, $screen_sha, $pulled, $pulls);
