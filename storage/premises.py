"""Premise questions of a build out of the lineage file: what they are, in which split they stand, who verified them,
and how many came to each stage."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa
from duckdb import DuckDBPyConnection

from core.premises import PremiseAnswer, PremiseQuestion, Split
from core.records import Record, Stage
from core.taxonomy import PremiseSubtype
from storage.database import load_query

_SPLITS = pa.schema([("question", pa.string()), ("split", pa.string())])


class PlacedQuestion(NamedTuple):
    question: PremiseQuestion
    split: Split


class PremiseFunnel(Record):
    """Of one subtype, in items: a pair, or a question without one. `made` = `unverified` + `taken` + `untaken`.

    `asked` counts pictures that were looked at for this subtype, `absent` those that show none of it, `refused` what
    could not be used, by reason; a picture may give several items. `unverified` are those that a second family saw
    otherwise, `untaken` those that were not needed or not unlike others, by reason; `true`, `false` and `splits` count
    the questions in the build, `answered` and `unanswered` those that an answer was wanted to."""

    subtype: PremiseSubtype
    asked: int
    absent: int
    refused: dict[str, int]
    made: int
    unverified: dict[str, int]
    untaken: dict[str, int]
    taken: int
    true: int
    false: int
    splits: dict[Split, int]
    answered: int
    unanswered: dict[str, int]


def store_splits(connection: DuckDBPyConnection, build: str, splits: Mapping[str, Split]) -> None:
    """The build has exactly these afterwards."""
    columns = [list(splits), [split.value for split in splits.values()]]
    connection.register("staged_splits", pa.table(columns, schema=_SPLITS))
    connection.execute("DELETE FROM premise_splits WHERE build = ?", [build])
    connection.execute("INSERT INTO premise_splits SELECT ?, question, split FROM staged_splits", [build])
    connection.unregister("staged_splits")


def find_questions(connection: DuckDBPyConnection, build: str) -> list[PlacedQuestion]:
    """In the order of the build."""
    rows = connection.execute(load_query("premise_questions"), {"build": build}).fetchall()
    return [PlacedQuestion(PremiseQuestion.restore(record, item), Split(split)) for item, record, split in rows]


def find_answers(connection: DuckDBPyConnection, build: str) -> dict[str, PremiseAnswer]:
    """By question."""
    rows = connection.execute(load_query("premise_answers"), {"build": build}).fetchall()
    answers = [PremiseAnswer.restore(record, item) for item, record in rows]
    return {answer.question: answer for answer in reversed(answers)}


def find_premise_validators(connection: DuckDBPyConnection, build: str) -> dict[str, str]:
    """The models that looked, joined by `+`, by item."""
    return dict(connection.execute(load_query("premise_validators"), {"build": build}).fetchall())


def count_premises(connection: DuckDBPyConnection, build: str) -> tuple[PremiseFunnel, ...]:
    """In the order of the taxonomy, subtypes that were tried alone; empty for a build of another kind."""
    asked: Counter[str] = Counter()
    kept: Counter[tuple[Stage, str]] = Counter()
    left: defaultdict[tuple[Stage, str], dict[str, int]] = defaultdict(dict)
    scope = {"build": build, "subtypes": [subtype.value for subtype in PremiseSubtype]}
    rows = connection.execute(load_query("premise_funnel"), scope).fetchall()
    for stage, subtype, keep, reason, items, subjects in rows:
        asked[subtype] += subjects if stage == Stage.INJECT else 0
        if keep:
            kept[Stage(stage), subtype] += items
        else:
            left[Stage(stage), subtype][reason] = items
    questions = _count_questions(connection, build)
    tried = {subtype for _, subtype in (*kept, *left)}
    return tuple(
        _funnel_of(subtype, asked[subtype], kept, left, questions[subtype])
        for subtype in PremiseSubtype
        if subtype.value in tried
    )


def _count_questions(connection: DuckDBPyConnection, build: str) -> defaultdict[PremiseSubtype, Counter[bool | Split]]:
    counts: defaultdict[PremiseSubtype, Counter[bool | Split]] = defaultdict(Counter)
    for subtype, label, split, items in connection.execute(load_query("premise_counts"), {"build": build}).fetchall():
        counts[PremiseSubtype(subtype)] += Counter({label: items, Split(split): items})
    return counts


def _funnel_of(
    subtype: PremiseSubtype,
    asked: int,
    kept: Mapping[tuple[Stage, str], int],
    left: Mapping[tuple[Stage, str], dict[str, int]],
    questions: Mapping[bool | Split, int],
) -> PremiseFunnel:
    def reasons(stage: Stage) -> dict[str, int]:
        return left.get((stage, subtype), {})

    refused = dict(reasons(Stage.INJECT))
    absent = refused.pop("no_premise", 0)
    return PremiseFunnel(
        subtype=subtype,
        asked=asked,
        absent=absent,
        refused=refused,
        made=kept.get((Stage.INJECT, subtype), 0),
        unverified=reasons(Stage.PANEL),
        untaken=reasons(Stage.SELECT),
        taken=kept.get((Stage.SELECT, subtype), 0),
        true=questions.get(True, 0),
        false=questions.get(False, 0),
        splits={split: questions.get(split, 0) for split in Split},
        answered=kept.get((Stage.ANSWER, subtype), 0),
        unanswered=reasons(Stage.ANSWER),
    )
