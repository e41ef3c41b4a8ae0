-- How many items of this build came to each stage, and for which reason did how many leave it? Counted by source up to the
-- sample stage and by subtype after it. The source of a row that was read stands in its name, `SOURCE:ROW`; that of a
-- sample is looked up.
WITH decided AS (
    SELECT d.stage, d.subtype, d.keep, d.reason, d.item, d.item_key
    FROM build_items AS member
    JOIN decisions AS d ON d.id_key = member.item_key AND d.id = member.item_id
    WHERE member.build = $build AND member.kind = 'decision'
)
SELECT d.stage, s.source AS part, d.keep, d.reason, count(*) AS items
FROM decided AS d JOIN samples AS s ON s.id_key = d.item_key AND s.id = d.item
WHERE d.stage = 'sample'
GROUP BY ALL
UNION ALL
SELECT stage, CASE stage WHEN 'read' THEN split_part(item, ':', 1) ELSE subtype END AS part, keep, reason, count(*)
FROM decided
WHERE stage <> 'sample'
GROUP BY ALL
ORDER BY ALL;
