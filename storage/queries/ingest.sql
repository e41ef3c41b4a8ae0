-- Which rows of these parts are not there yet? `staged` holds (position, table, id, record, shard_key); of several rows with
-- one id the first counts. An id names its content, so a row that is there never differs from a new one of the same id.

INSERT INTO samples
WITH found AS (
    SELECT id, item_key(id) AS id_key, record, shard_key,
        json_transform(record::JSON, '{"source": "VARCHAR", "source_id": "VARCHAR", "subject": "VARCHAR",
            "language": "VARCHAR", "licence": "VARCHAR", "pictures": ["JSON"], "options": ["VARCHAR"],
            "context": "VARCHAR", "query": "VARCHAR", "question_in_picture": "BOOLEAN"}') AS r
    FROM (FROM staged WHERE "table" = 'samples' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT id, id_key, r.source, r.source_id, r.subject, r.language, r.licence, len(r.pictures), len(r.options),
    coalesce(len(r.context), 0) + coalesce(len(r.query), 0), r.question_in_picture, shard_key, record
FROM found
WHERE NOT EXISTS (SELECT 1 FROM samples AS old WHERE old.id_key = found.id_key AND old.id = found.id);

INSERT OR IGNORE INTO sources
SELECT record ->> 'name', record ->> 'licence', min(record ->> 'attribution')
FROM staged WHERE "table" = 'sources'
GROUP BY ALL;

-- The perceptual hash is known where a picture was read, not where it was made: the row that knows it wins.
INSERT INTO pictures
WITH found AS (
    SELECT id, item_key(id) AS id_key,
        json_transform(record::JSON, '{"media_type": "VARCHAR", "width": "UINTEGER", "height": "UINTEGER",
            "perceptual_hash": "UBIGINT"}') AS r
    FROM staged WHERE "table" = 'pictures'
),
best AS (FROM found QUALIFY row_number() OVER (PARTITION BY id ORDER BY r.perceptual_hash NULLS LAST) = 1)
SELECT id, id_key, r.media_type, r.width, r.height, r.perceptual_hash
FROM best AS found
WHERE NOT EXISTS (SELECT 1 FROM pictures AS old WHERE old.sha256_key = found.id_key AND old.sha256 = found.id);

INSERT INTO flaws
WITH found AS (
    SELECT json_transform(record::JSON, '{"candidate": "VARCHAR", "position": "UTINYINT", "subtype": "VARCHAR",
            "generator": "VARCHAR", "injector_version": "INTEGER", "families": ["VARCHAR"], "edits": ["VARCHAR"],
            "explanation": "VARCHAR", "operation": "VARCHAR", "share": "DOUBLE"}') AS r
    FROM (FROM staged WHERE "table" = 'flaws' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT r.candidate, item_key(r.candidate), r.position, r.subtype, r.generator, r.injector_version, r.families, r.edits,
    r.explanation, r.operation, r.share
FROM found
WHERE NOT EXISTS (
    SELECT 1 FROM flaws AS old
    WHERE old.candidate_key = item_key(found.r.candidate) AND old.candidate = found.r.candidate
        AND old.position = found.r.position
);

INSERT INTO candidates
WITH found AS (
    SELECT id, item_key(id) AS id_key, record, shard_key,
        json_transform(record::JSON, '{"parent": "VARCHAR", "context": "VARCHAR", "query": "VARCHAR",
            "pictures": ["JSON"], "flaws": [{"subtype": "VARCHAR", "generator": "VARCHAR"}]}') AS r
    FROM (FROM staged WHERE "table" = 'candidates' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT id, id_key, r.parent, r.flaws[1].subtype, r.flaws[1].generator, len(r.flaws), len(r.pictures),
    coalesce(len(r.context), 0) + coalesce(len(r.query), 0), shard_key, record
FROM found
WHERE NOT EXISTS (SELECT 1 FROM candidates AS old WHERE old.id_key = found.id_key AND old.id = found.id);

INSERT INTO decisions
WITH found AS (
    SELECT id, join_key(id) AS join_key, shard_key,
        json_transform(record::JSON, '{"stage": "VARCHAR", "item": "VARCHAR", "output": "VARCHAR",
            "subtype": "VARCHAR", "keep": "BOOLEAN", "reason": "VARCHAR", "evidence": "VARCHAR",
            "decided_by": "VARCHAR"}') AS r
    FROM (FROM staged WHERE "table" = 'decisions' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT id, join_key, r.stage, r.item, item_key(r.item), r.output,
    r.subtype, r.keep, r.reason, r.evidence, r.decided_by, shard_key
FROM found
WHERE NOT EXISTS (SELECT 1 FROM decisions AS old WHERE old.join_key = found.join_key AND old.id = found.id);

INSERT INTO calls
WITH found AS (
    SELECT id, shard_key,
        json_transform(record::JSON, '{"reply": "VARCHAR", "stage": "VARCHAR", "role": "VARCHAR", "item": "VARCHAR",
            "subtype": "VARCHAR", "provider": "VARCHAR", "model": "VARCHAR", "model_reported": "VARCHAR",
            "family": "VARCHAR", "base_url": "VARCHAR", "prompt": "VARCHAR", "prompt_hash": "VARCHAR",
            "parameters": "VARCHAR", "draw": "UINTEGER", "status": "VARCHAR", "finish_reason": "VARCHAR",
            "attempts": "UINTEGER", "prompt_tokens": "UBIGINT", "completion_tokens": "UBIGINT",
            "reasoning_tokens": "UBIGINT", "image_tokens": "UBIGINT", "cached_tokens": "UBIGINT", "usd": "DOUBLE",
            "price_date": "DATE", "batch": "BOOLEAN", "latency_seconds": "DOUBLE", "provider_request_id": "VARCHAR",
            "asked": "TIMESTAMPTZ"}') AS r
    FROM (FROM staged WHERE "table" = 'calls' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT id, item_key(id), r.reply, r.stage, r.role, r.item, item_key(r.item), r.subtype, r.provider, r.model,
    r.model_reported, r.family, r.base_url, r.prompt, r.prompt_hash, r.parameters, r.draw, r.status, r.finish_reason,
    r.attempts, r.prompt_tokens, r.completion_tokens, r.reasoning_tokens, r.image_tokens, r.cached_tokens, r.usd,
    r.price_date, r.batch, r.latency_seconds, r.provider_request_id, r.asked, shard_key
FROM found
WHERE NOT EXISTS (SELECT 1 FROM calls AS old WHERE old.id_key = item_key(found.id) AND old.id = found.id);

INSERT INTO votes
WITH found AS (
    SELECT id, shard_key,
        json_transform(record::JSON, '{"item": "VARCHAR", "subtype": "VARCHAR", "criterion": "VARCHAR",
            "verdict": "VARCHAR", "model": "VARCHAR", "family": "VARCHAR", "call": "VARCHAR",
            "evidence": "VARCHAR"}') AS r
    FROM (FROM staged WHERE "table" = 'votes' QUALIFY row_number() OVER (PARTITION BY id ORDER BY position) = 1)
)
SELECT id, r.item, item_key(r.item), r.subtype, r.criterion, r.verdict, r.model, r.family, r.call, r.evidence, shard_key
FROM found
WHERE NOT EXISTS (
    SELECT 1 FROM votes AS old WHERE old.item_key = item_key(found.r.item) AND old.id = found.id
);

INSERT INTO edges
WITH found AS (
    SELECT r, item_key(r.parent) AS parent_key
    FROM (
        SELECT DISTINCT ON (record)
            json_transform(record::JSON, '{"child": "VARCHAR", "relation": "VARCHAR", "parent": "VARCHAR"}') AS r,
            position
        FROM staged WHERE "table" = 'edges'
        ORDER BY record, position
    )
    ORDER BY position
)
SELECT r.child, r.relation, r.parent, parent_key
FROM found
WHERE NOT EXISTS (
    SELECT 1 FROM edges AS old
    WHERE old.parent_key = found.parent_key
        AND old.child = found.r.child AND old.parent = found.r.parent AND old.relation = found.r.relation
);

INSERT INTO shards
SELECT key, stage, subtype, source, injector_version, seed, parameters, run_id, code_commit, started, seconds, rows
FROM staged_shards;
