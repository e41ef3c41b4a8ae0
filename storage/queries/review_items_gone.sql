-- Which items of the review are no longer in its build?
SELECT DISTINCT item FROM review_assignments
WHERE build = $build AND NOT control
    AND item NOT IN (SELECT item_id FROM build_items WHERE build = $build AND kind = 'candidate');
