-- What are the samples of these ids?
SELECT samples.id, samples.record
FROM (SELECT unnest($ids) AS id) AS wanted
JOIN samples ON samples.id = wanted.id;
