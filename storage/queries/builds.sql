-- Which builds are there, how large is each, and how did its last run end?
WITH counts AS (
    SELECT build,
        count(*) FILTER (kind = 'sample') AS samples,
        count(*) FILTER (kind IN ('candidate', 'question')) AS candidates,
        count(*) FILTER (kind = 'decision') AS decisions,
        count(*) FILTER (kind = 'release') AS releases
    FROM build_items GROUP BY build
),
last AS (
    SELECT build, count(*) AS runs, arg_max(id, started) AS last_run, max(started) AS last_started,
        arg_max_null(outcome, started) AS outcome
    FROM runs WHERE flow <> 'plan-benchmark' GROUP BY build
)
SELECT coalesce(last.build, counts.build) AS build, coalesce(runs, 0) AS runs, coalesce(samples, 0) AS samples,
    coalesce(candidates, 0) AS candidates, coalesce(decisions, 0) AS decisions, coalesce(releases, 0) AS releases,
    last_run, last_started, outcome
FROM last FULL JOIN counts ON last.build = counts.build
ORDER BY last_started DESC NULLS LAST, 1;
