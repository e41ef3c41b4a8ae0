-- What did the annotators of this build say, counted or flagged?
SELECT id, record FROM annotations
WHERE build = $build
ORDER BY item, round, annotator, created, id;
