-- Which premise questions, votes and answers of these parts are not there yet? See ingest.sql.

INSERT INTO premise_questions
WITH found AS (
    SELECT id, item_key(id) AS id_key, record, shard_key,
        json_transform(record::JSON, '{"sample": "VARCHAR", "premise": {"subtype": "VARCHAR", "text": "VARCHAR"},
            "label": "BOOLEAN", "question": "VARCHAR", "stated": "VARCHAR", "replacement": "VARCHAR",
            "pair": "VARCHAR", "language": "VARCHAR", "generator": "VARCHAR"}') AS r
    FROM (
        FROM staged WHERE "table" = 'premise_questions'
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1
    )
)
SELECT id, id_key, r.sample, r.premise.subtype, r.label, r.question, r.stated, r.premise.text, r.replacement, r.pair,
    coalesce(r.pair, id), item_key(coalesce(r.pair, id)), r.language, r.generator, shard_key, record
FROM found
WHERE NOT EXISTS (SELECT 1 FROM premise_questions AS old WHERE old.id_key = found.id_key AND old.id = found.id);

INSERT INTO premise_votes
WITH found AS (
    SELECT id, item_key(id) AS id_key, shard_key,
        json_transform(record::JSON, '{"item": "VARCHAR", "premise": "VARCHAR", "replacement": "VARCHAR",
            "model": "VARCHAR", "family": "VARCHAR", "call": "VARCHAR", "evidence": "VARCHAR"}') AS r
    FROM (
        FROM staged WHERE "table" = 'premise_votes'
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1
    )
)
SELECT id, id_key, r.item, item_key(r.item), r.premise, r.replacement, r.model, r.family, r.call, r.evidence, shard_key
FROM found
WHERE NOT EXISTS (SELECT 1 FROM premise_votes AS old WHERE old.id_key = found.id_key AND old.id = found.id);

INSERT INTO premise_answers
WITH found AS (
    SELECT id, item_key(id) AS id_key, record, shard_key,
        json_transform(record::JSON, '{"question": "VARCHAR", "generator": "VARCHAR"}') AS r
    FROM (
        FROM staged WHERE "table" = 'premise_answers'
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1
    )
)
SELECT id, id_key, r.question, item_key(r.question), r.generator, shard_key, record
FROM found
WHERE NOT EXISTS (SELECT 1 FROM premise_answers AS old WHERE old.id_key = found.id_key AND old.id = found.id);
