-- The human review (M-20): plans, who judges what, the projects and tasks of Label Studio, and all that came back. The
-- table `annotations` of the first migration was never written; a row is now one annotation as it was read, with flags.

DROP TABLE annotations;

CREATE TABLE review_plans (
    build  VARCHAR PRIMARY KEY,
    record JSON NOT NULL
);

-- Items whose verdicts are known before anybody sees them; they belong to the review and not to the build.
CREATE TABLE review_controls (
    build  VARCHAR NOT NULL,
    item   VARCHAR NOT NULL,
    record JSON NOT NULL,
    PRIMARY KEY (build, item)
);

-- In the order in which they were dealt.
CREATE TABLE review_assignments (
    build     VARCHAR NOT NULL,
    item      VARCHAR NOT NULL,
    round     UTINYINT NOT NULL,
    annotator VARCHAR NOT NULL,
    position  UINTEGER NOT NULL,
    subtype   VARCHAR NOT NULL,
    control   BOOLEAN NOT NULL,
    criteria  VARCHAR[] NOT NULL,
    informed  BOOLEAN NOT NULL,
    PRIMARY KEY (build, item, round, annotator)
);

CREATE TABLE review_projects (
    build      VARCHAR NOT NULL,
    round      UTINYINT NOT NULL,
    annotator  VARCHAR NOT NULL,
    url        VARCHAR NOT NULL,
    project    BIGINT NOT NULL,
    "user"     BIGINT NOT NULL,
    screen_sha VARCHAR NOT NULL,
    pulled     TIMESTAMPTZ,
    pulls      UINTEGER NOT NULL,
    PRIMARY KEY (build, round, annotator)
);

CREATE TABLE review_tasks (
    build       VARCHAR NOT NULL,
    item        VARCHAR NOT NULL,
    project     BIGINT NOT NULL,
    task        BIGINT NOT NULL,
    content_sha VARCHAR NOT NULL,
    PRIMARY KEY (build, project, item)
);

-- One row for each annotation and version that was read. It counts when `flags` is empty.
CREATE TABLE annotations (
    id              VARCHAR NOT NULL,
    id_key          UINTEGER NOT NULL,
    build           VARCHAR NOT NULL,
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
    annotation      BIGINT NOT NULL,
    created         TIMESTAMPTZ NOT NULL,
    updated         TIMESTAMPTZ NOT NULL,
    record          JSON NOT NULL
);
