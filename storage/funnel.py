"""How many items came to each stage of a build and why the others left it: read from the decisions, so that it is right
for a build that was stopped, resumed or grown as well."""

from collections import Counter, defaultdict
from typing import NamedTuple

from duckdb import DuckDBPyConnection
from pydantic import Field

from core.errors import StorageError
from core.records import Record, Stage
from core.taxonomy import Subtype
from storage.database import load_query
from storage.membership import find_builds
from storage.premises import PremiseFunnel, count_premises

_QUESTION_STAGES = (Stage.READ, Stage.SAMPLE, Stage.REWRITE, Stage.TWIN)
_CANDIDATE_STAGES = (Stage.INJECT, Stage.FILTER, Stage.PANEL, Stage.SELECT)


class SourceFunnel(Record):
    """Rows of one source: `read` = `quarantined` + `unsampled` + `sampled` + `undecided`.

    `quarantined` and `unsampled` (duplicates, not selected) are counts by reason. `undecided` are usable rows without a
    decision of the sample stage: 0 in a finished build. `rewritten` and `unrewritten` are questions that a model was
    asked to put in other words (M-7), `valid` and `invalid` unmodified ones that the validators judged (M-43)."""

    source: str
    read: int
    quarantined: dict[str, int]
    unsampled: dict[str, int]
    sampled: int
    undecided: int
    rewritten: int = 0
    unrewritten: dict[str, int] = Field(default_factory=dict)
    valid: int = 0
    invalid: dict[str, int] = Field(default_factory=dict)


class SubtypeFunnel(Record):
    """Of one subtype: `attempted` = `rejected` + `injected`; `injected` = `dropped` + `kept` + `unfiltered`;
    `kept` = `unpassed` + `passed` + `unjudged` and `passed` = `unselected` + `selected` + `undecided`. With `passed`
    stand duplicates of passed candidates, about which the panel was not asked.

    `rejected`, `dropped`, `unpassed` (by the panel; empty where none was asked) and `unselected` (duplicates, over
    target) are counts by reason; `judged` counts the candidates that the panel decided on, with `votes` of all its
    validators, `unjudged` those that it was not asked about since enough had passed. `unfiltered` and `undecided` have
    no decision of the next stage: 0 in a finished build. Of `twins` of the selected the validators judged the
    unmodified question, `valid_twins` times they called it valid (M-43)."""

    subtype: Subtype
    attempted: int
    rejected: dict[str, int]
    injected: int
    dropped: dict[str, int]
    kept: int
    unfiltered: int
    judged: int = 0
    votes: int = 0
    unjudged: int = 0
    unpassed: dict[str, int] = Field(default_factory=dict)
    passed: int
    unselected: dict[str, int]
    selected: int
    undecided: int
    twins: int = 0
    valid_twins: int = 0


class Funnel(Record):
    """Sources by name, subtypes in the order of the taxonomy. A build has `subtypes` or `premises`."""

    build: str
    sources: tuple[SourceFunnel, ...]
    subtypes: tuple[SubtypeFunnel, ...]
    premises: tuple[PremiseFunnel, ...] = ()


class QuarantinedRow(NamedTuple):
    """A row of a source that could not be used; `source_id` is its own id or its config and position."""

    source: str
    source_id: str
    reason: str
    detail: str


class _StageCount(NamedTuple):
    kept: int
    dropped: dict[str, int]

    @property
    def items(self) -> int:
        return self.kept + sum(self.dropped.values())


class _Twins(NamedTuple):
    judged: int
    valid: int


def count_funnel(connection: DuckDBPyConnection, build: str, source: str | None = None) -> Funnel:
    """`source`: of its questions, and what was made of them, alone. Raises StorageError when there is no build of that
    name, or no such source in it."""
    _check_build(connection, build)
    wanted = {"build": build, "source": source}
    kept: Counter[tuple[Stage, str]] = Counter()
    dropped: defaultdict[tuple[Stage, str], dict[str, int]] = defaultdict(dict)
    for stage, group, keep, reason, items in connection.execute(load_query("funnel"), wanted).fetchall():
        key = (Stage(stage), group)
        if keep:
            kept[key] += items
        else:
            dropped[key][reason] = items
    counts = {key: _StageCount(kept[key], dropped[key]) for key in [*kept, *dropped]}
    sources = sorted({group for stage, group in counts if stage in _QUESTION_STAGES})
    if source is not None and not sources:
        known = ", ".join(row.source for row in count_funnel(connection, build).sources)
        raise StorageError(f"Build {build} has no source {source!r}.", f"Use one of: {known}.")
    subtypes = {group for stage, group in counts if stage in _CANDIDATE_STAGES}
    twins = {row[0]: _Twins(*row[1:]) for row in connection.execute(load_query("valid_twins"), wanted).fetchall()}
    votes: dict[str, int] = dict(connection.execute(load_query("funnel_votes"), wanted).fetchall())
    return Funnel(
        build=build,
        sources=tuple(_source_funnel(source, counts) for source in sources),
        subtypes=tuple(
            _subtype_funnel(subtype, counts, twins.get(subtype, _Twins(0, 0)), votes.get(subtype, 0))
            for subtype in Subtype
            if subtype in subtypes
        ),
        premises=count_premises(connection, build) if source is None else (),
    )


def find_faults(funnel: Funnel) -> list[str]:
    """What does not add up, as it must in a finished build: one sentence each, none when all is well."""
    faults = [
        f"{row.source}: {row.undecided} usable rows have no decision of the sample stage."
        for row in funnel.sources
        if row.undecided
    ]
    for row in funnel.subtypes:
        if row.unfiltered:
            faults.append(f"{row.subtype}: {row.unfiltered} of {row.injected} candidates have no decision of a filter.")
        if row.undecided:
            faults.append(
                f"{row.subtype}: {row.undecided} of {row.passed} passed candidates were not considered at the end."
            )
    return faults


def find_quarantined(
    connection: DuckDBPyConnection, build: str, source: str | None, reason: str | None
) -> list[QuarantinedRow]:
    """Sorted. Raises StorageError when there is no build of that name."""
    _check_build(connection, build)
    wanted = {"build": build, "source": source, "reason": reason}
    return [QuarantinedRow(*row) for row in connection.execute(load_query("quarantined"), wanted).fetchall()]


def _source_funnel(source: str, counts: dict[tuple[Stage, str], _StageCount]) -> SourceFunnel:
    read, sampled, rewritten, valid = (counts.get((stage, source), _StageCount(0, {})) for stage in _QUESTION_STAGES)
    return SourceFunnel(
        source=source,
        read=read.items,
        quarantined=read.dropped,
        unsampled=sampled.dropped,
        sampled=sampled.kept,
        undecided=read.kept - sampled.items,
        rewritten=rewritten.kept,
        unrewritten=rewritten.dropped,
        valid=valid.kept,
        invalid=valid.dropped,
    )


def _subtype_funnel(
    subtype: Subtype, counts: dict[tuple[Stage, str], _StageCount], twins: _Twins, votes: int
) -> SubtypeFunnel:
    injected, filtered, judged, selected = (
        counts.get((stage, subtype.value), _StageCount(0, {})) for stage in _CANDIDATE_STAGES
    )
    repeated = max(0, selected.items - judged.kept)
    unjudged = filtered.kept - judged.items - repeated if judged.items else 0
    passed = filtered.kept - sum(judged.dropped.values()) - unjudged
    return SubtypeFunnel(
        subtype=subtype,
        attempted=injected.items,
        rejected=injected.dropped,
        injected=injected.kept,
        dropped=filtered.dropped,
        kept=filtered.kept,
        unfiltered=injected.kept - filtered.items,
        judged=judged.items,
        votes=votes,
        unjudged=unjudged,
        unpassed=judged.dropped,
        passed=passed,
        unselected=selected.dropped,
        selected=selected.kept,
        undecided=passed - selected.items,
        twins=twins.judged,
        valid_twins=twins.valid,
    )


def _check_build(connection: DuckDBPyConnection, build: str) -> None:
    known = [found.build for found in find_builds(connection)]
    if build not in known:
        raise StorageError(
            f"There is no build {build!r}.",
            f"Use one of: {', '.join(known)}." if known else "Make one with `flawbench build`.",
        )
