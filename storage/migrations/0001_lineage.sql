-- The lineage of every item: what was read, made, decided, judged and published, by which run.
--
-- Only the small tables have a primary key. An index over random hashes is rewritten at every checkpoint, and the file is
-- opened and closed for each transaction: 36,000 rows more in 3,000,000 cost 0.9 s and 300 MB of file growth that way.
-- Instead each id that is searched for has a hash of 32 bits beside it (`..._key`): a million of them are 4 MB, scanned in
-- a millisecond. Two ids may share one, so the id itself is compared as well. The single writer inserts only what is not
-- there. Decisions and members of builds have 64 bits instead (`join_key`), on which they are joined without the ids: the
-- chance that any two of 3,000,000 share one is 1 in 4,000,000, and a count would be off by one.

CREATE TABLE migrations (
    number  INTEGER PRIMARY KEY,
    name    VARCHAR NOT NULL,
    hash    VARCHAR NOT NULL,
    applied TIMESTAMPTZ NOT NULL
);

CREATE MACRO item_key(id) AS (md5_number_lower(id) >> 32)::UINTEGER;

CREATE MACRO join_key(id) AS md5_number_lower(id);

CREATE TABLE recipes (
    id     VARCHAR PRIMARY KEY,
    name   VARCHAR NOT NULL,
    seed   UBIGINT NOT NULL,
    record JSON NOT NULL
);

-- `outcome` is NULL while a run goes on, and for good when it was killed.
CREATE TABLE runs (
    id          VARCHAR PRIMARY KEY,
    build       VARCHAR NOT NULL,
    flow        VARCHAR NOT NULL,
    recipe_id   VARCHAR NOT NULL,
    code_commit VARCHAR NOT NULL,
    seed        UBIGINT NOT NULL,
    parameters  JSON NOT NULL,
    started     TIMESTAMPTZ NOT NULL,
    finished    TIMESTAMPTZ,
    outcome     VARCHAR
);

-- The ledger: a shard that stands here is done, and all its rows are in the tables below.
CREATE TABLE shards (
    key              VARCHAR PRIMARY KEY,
    stage            VARCHAR NOT NULL,
    subtype          VARCHAR,
    source           VARCHAR,
    injector_version INTEGER,
    seed             UBIGINT,
    parameters       JSON NOT NULL,
    run_id           VARCHAR NOT NULL,
    code_commit      VARCHAR NOT NULL,
    started          TIMESTAMPTZ NOT NULL,
    seconds          DOUBLE NOT NULL,
    rows             UINTEGER NOT NULL
);

-- One row for each licence that a source has rows of; the attribution is that of one of them.
CREATE TABLE sources (
    name        VARCHAR NOT NULL,
    licence     VARCHAR NOT NULL,
    attribution VARCHAR NOT NULL,
    PRIMARY KEY (name, licence)
);

CREATE TABLE samples (
    id                  VARCHAR NOT NULL,
    id_key              UINTEGER NOT NULL,
    source              VARCHAR NOT NULL,
    source_id           VARCHAR NOT NULL,
    subject             VARCHAR NOT NULL,
    language            VARCHAR NOT NULL,
    licence             VARCHAR NOT NULL,
    pictures            UTINYINT NOT NULL,
    options             USMALLINT NOT NULL,
    text_characters     UINTEGER NOT NULL,
    question_in_picture BOOLEAN NOT NULL,
    shard_key           VARCHAR NOT NULL,
    record              JSON NOT NULL
);

CREATE TABLE pictures (
    sha256          VARCHAR NOT NULL,
    sha256_key      UINTEGER NOT NULL,
    media_type      VARCHAR NOT NULL,
    width           UINTEGER NOT NULL,
    height          UINTEGER NOT NULL,
    perceptual_hash UBIGINT
);

CREATE TABLE candidates (
    id              VARCHAR NOT NULL,
    id_key          UINTEGER NOT NULL,
    parent          VARCHAR NOT NULL,
    subtype         VARCHAR NOT NULL,
    generator       VARCHAR NOT NULL,
    flaws           UTINYINT NOT NULL,
    pictures        UTINYINT NOT NULL,
    text_characters UINTEGER NOT NULL,
    shard_key       VARCHAR NOT NULL,
    record          JSON NOT NULL
);

-- What people ask of the flaws in `candidates.record`, in columns. `share` and `operation` are those of a degradation.
CREATE TABLE flaws (
    candidate        VARCHAR NOT NULL,
    candidate_key    UINTEGER NOT NULL,
    position         UTINYINT NOT NULL,
    subtype          VARCHAR NOT NULL,
    generator        VARCHAR NOT NULL,
    injector_version INTEGER NOT NULL,
    families         VARCHAR[] NOT NULL,
    edits            VARCHAR[] NOT NULL,
    explanation      VARCHAR NOT NULL,
    operation        VARCHAR,
    share            DOUBLE
);

-- All fields of a decision are columns, so there is no record. What a decision produced is found by its item: the row of
-- the source for a sample, the sample for a candidate.
CREATE TABLE decisions (
    id         VARCHAR NOT NULL,
    join_key   UBIGINT NOT NULL,
    stage      VARCHAR NOT NULL,
    item       VARCHAR NOT NULL,
    item_key   UINTEGER NOT NULL,
    output     VARCHAR,
    subtype    VARCHAR,
    keep       BOOLEAN NOT NULL,
    reason     VARCHAR,
    evidence   VARCHAR NOT NULL,
    decided_by VARCHAR NOT NULL,
    shard_key  VARCHAR NOT NULL
);

-- One row for each reply that was asked for; `reply` is its key in the reply store.
CREATE TABLE calls (
    id                  VARCHAR NOT NULL,
    id_key              UINTEGER NOT NULL,
    reply               VARCHAR NOT NULL,
    stage               VARCHAR NOT NULL,
    role                VARCHAR NOT NULL,
    item                VARCHAR NOT NULL,
    item_key            UINTEGER NOT NULL,
    subtype             VARCHAR,
    provider            VARCHAR NOT NULL,
    model               VARCHAR NOT NULL,
    model_reported      VARCHAR,
    family              VARCHAR NOT NULL,
    base_url            VARCHAR,
    prompt              VARCHAR NOT NULL,
    prompt_hash         VARCHAR NOT NULL,
    parameters          JSON NOT NULL,
    draw                UINTEGER NOT NULL,
    status              VARCHAR NOT NULL,
    finish_reason       VARCHAR,
    attempts            UINTEGER NOT NULL,
    prompt_tokens       UBIGINT,
    completion_tokens   UBIGINT,
    reasoning_tokens    UBIGINT,
    image_tokens        UBIGINT,
    cached_tokens       UBIGINT,
    usd                 DECIMAL(18, 9),
    price_date          DATE,
    batch               BOOLEAN NOT NULL,
    latency_seconds     DOUBLE,
    provider_request_id VARCHAR,
    asked               TIMESTAMPTZ NOT NULL,
    shard_key           VARCHAR NOT NULL
);

-- One row for each validator and criterion (M-18, M-19); `verdict` is pass, fail or unparsed.
CREATE TABLE votes (
    id        VARCHAR NOT NULL,
    item      VARCHAR NOT NULL,
    item_key  UINTEGER NOT NULL,
    subtype   VARCHAR NOT NULL,
    criterion VARCHAR NOT NULL,
    verdict   VARCHAR NOT NULL,
    model     VARCHAR NOT NULL,
    family    VARCHAR NOT NULL,
    call      VARCHAR NOT NULL,
    evidence  VARCHAR NOT NULL,
    shard_key VARCHAR NOT NULL
);

-- One row for each human verdict on both criteria (M-20); round 2 is adjudication; `flags` says why one does not count.
CREATE TABLE annotations (
    id              VARCHAR NOT NULL,
    item            VARCHAR NOT NULL,
    item_key        UINTEGER NOT NULL,
    round           UTINYINT NOT NULL,
    annotator       VARCHAR NOT NULL,
    type_compliance VARCHAR,
    unanswerability VARCHAR,
    comment         VARCHAR NOT NULL,
    seconds         DOUBLE,
    control         BOOLEAN NOT NULL,
    flags           VARCHAR[] NOT NULL,
    project         BIGINT NOT NULL,
    task            BIGINT NOT NULL,
    created         TIMESTAMPTZ NOT NULL,
    updated         TIMESTAMPTZ NOT NULL,
    record          JSON NOT NULL
);

CREATE TABLE releases (
    id              VARCHAR PRIMARY KEY,
    name            VARCHAR NOT NULL,
    build           VARCHAR NOT NULL,
    run_id          VARCHAR NOT NULL,
    recipe_id       VARCHAR NOT NULL,
    code_commit     VARCHAR NOT NULL,
    manifest_sha256 VARCHAR NOT NULL,
    rows            UINTEGER NOT NULL,
    created         TIMESTAMPTZ NOT NULL
);

-- Which candidates does a release publish?
CREATE TABLE release_items (
    release       VARCHAR NOT NULL,
    candidate     VARCHAR NOT NULL,
    candidate_key UINTEGER NOT NULL
);

-- `child` came from `parent`, which is an id, a picture's SHA-256 or a row `SOURCE:ID` of a source.
CREATE TABLE edges (
    child      VARCHAR NOT NULL,
    relation   VARCHAR NOT NULL,
    parent     VARCHAR NOT NULL,
    parent_key UINTEGER NOT NULL
);

-- Which samples, candidates, decisions and releases make up a named build: `kind` is one of these four in the singular.
CREATE TABLE build_items (
    build    VARCHAR NOT NULL,
    kind     VARCHAR NOT NULL,
    item_id  VARCHAR NOT NULL,
    join_key UBIGINT NOT NULL,
    subtype  VARCHAR,
    rank     UINTEGER NOT NULL
);
