-- Premise pairs (Judge Before Answer): questions, what a second family saw of their premises, answers to train on, and in
-- which split of a build a question stands.

CREATE TABLE premise_questions (
    id          VARCHAR NOT NULL,
    id_key      UINTEGER NOT NULL,
    sample      VARCHAR NOT NULL,
    subtype     VARCHAR NOT NULL,
    label       BOOLEAN NOT NULL,
    question    VARCHAR NOT NULL,
    stated      VARCHAR NOT NULL,
    premise     VARCHAR NOT NULL,
    replacement VARCHAR,
    pair        VARCHAR,
    item        VARCHAR NOT NULL,
    item_key    UINTEGER NOT NULL,
    language    VARCHAR NOT NULL,
    generator   VARCHAR NOT NULL,
    shard_key   VARCHAR NOT NULL,
    record      JSON NOT NULL
);

-- One row for each validator and item; `premise` passes when what is to be true holds, `replacement` when what is to be false
-- does not.
CREATE TABLE premise_votes (
    id          VARCHAR NOT NULL,
    id_key      UINTEGER NOT NULL,
    item        VARCHAR NOT NULL,
    item_key    UINTEGER NOT NULL,
    premise     VARCHAR NOT NULL,
    replacement VARCHAR,
    model       VARCHAR NOT NULL,
    family      VARCHAR NOT NULL,
    call        VARCHAR NOT NULL,
    evidence    VARCHAR NOT NULL,
    shard_key   VARCHAR NOT NULL
);

CREATE TABLE premise_answers (
    id           VARCHAR NOT NULL,
    id_key       UINTEGER NOT NULL,
    question     VARCHAR NOT NULL,
    question_key UINTEGER NOT NULL,
    generator    VARCHAR NOT NULL,
    shard_key    VARCHAR NOT NULL,
    record       JSON NOT NULL
);

-- `split` is test, sft or grpo.
CREATE TABLE premise_splits (
    build    VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    split    VARCHAR NOT NULL,
    PRIMARY KEY (build, question)
);
