-- What does the tested model see, what is wrong with it, and which shard made it first?
SELECT 'candidate' AS kind, c.id, c.subtype, c.generator, c.record ->> 'context' AS context,
    c.record ->> 'query' AS query,
    (SELECT string_agg(f.explanation, ' ' ORDER BY f.position) FROM flaws AS f
        WHERE f.candidate_key = item_key($id) AND f.candidate = $id) AS flaw,
    (SELECT string_agg(array_to_string(f.edits, ', '), ', ' ORDER BY f.position) FROM flaws AS f
        WHERE f.candidate_key = item_key($id) AND f.candidate = $id) AS edits,
    c.shard_key
FROM candidates AS c WHERE c.id_key = item_key($id) AND c.id = $id;
