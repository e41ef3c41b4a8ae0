-- What was read of these items that is not known yet?
INSERT INTO annotations
SELECT id, item_key(id), $build, item, item_key(item), round, annotator, type_compliance, unanswerability, comment,
    seconds, control, flags, project, task, annotation, created::TIMESTAMPTZ, updated::TIMESTAMPTZ, record
FROM staged
ORDER BY item, annotation, updated, id;
