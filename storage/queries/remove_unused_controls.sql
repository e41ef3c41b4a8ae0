-- Which control items does nobody have any more?
DELETE FROM review_controls
WHERE build = $build AND item NOT IN (SELECT item FROM review_assignments WHERE build = $build AND control);
