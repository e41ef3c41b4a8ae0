-- How did the validators vote on the candidates of this build that came to the panel?
SELECT votes.item, votes.subtype, votes.criterion, votes.verdict, votes.model, votes.family, votes.call,
    votes.evidence
FROM votes
WHERE votes.item IN (
    SELECT decisions.item FROM build_items JOIN decisions ON decisions.join_key = build_items.join_key
    WHERE build_items.build = $build AND build_items.kind = 'decision' AND decisions.stage = 'filter' AND decisions.keep
)
ORDER BY votes.item, votes.model, votes.criterion;
