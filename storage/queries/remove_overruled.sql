-- Which decisions of this build does another of its decisions overrule? Of the decisions on one item at one stage, which
-- runs that grow a build make again, a keep stands before a drop and a later one before an earlier. A sample may be
-- injected into several times, each time with its own outcome.
DELETE FROM build_items
WHERE build = $build AND kind = 'decision' AND join_key IN (
    SELECT join_key
    FROM decisions JOIN build_items AS member USING (join_key)
    WHERE member.build = $build AND member.kind = 'decision' AND stage <> 'inject'
    QUALIFY row_number() OVER (PARTITION BY stage, item ORDER BY keep DESC, member.rank DESC) > 1
);
