-- What was known of these items in one round, of one annotator?
DELETE FROM annotations
WHERE build = $build AND round = $round AND annotator = $annotator
    AND item IN (SELECT unnest($items::VARCHAR[]));
