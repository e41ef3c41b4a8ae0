-- Which rows of the sources could this build not use, and why?
SELECT split_part(d.item, ':', 1) AS source, substr(d.item, strpos(d.item, ':') + 1) AS source_id, d.reason,
    d.evidence AS detail
FROM build_items AS member
JOIN decisions AS d ON d.join_key = member.join_key
WHERE member.build = $build AND member.kind = 'decision' AND d.stage = 'read' AND NOT d.keep
    AND ($source IS NULL OR split_part(d.item, ':', 1) = $source)
    AND ($reason IS NULL OR d.reason = $reason)
ORDER BY ALL;
