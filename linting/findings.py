"""What the linter says: one finding for each kind of defect and part of the data."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field, SerializeAsAny

from core.records import Record
from filters.blind_reports import BlindScore, SubtypeScore, TellingFeature
from linting.rows import LintRow

_EXAMPLES = 5
_SHOWN = 400


class Severity(StrEnum):
    """In rising order. `info` says what was measured and is no defect."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    def reaches(self, other: "Severity") -> bool:
        order = list(Severity)
        return order.index(self) >= order.index(other)


class Kind(StrEnum):
    NO_LEAK = "no_leak"
    PREMISE_NOT_REPLACED = "premise_not_replaced"
    PREMISE_MISSING_IN_POSITIVE = "premise_missing_in_positive"
    PROMPT_DEBRIS = "prompt_debris"
    NEWLINE = "newline"
    LANGUAGE_LEAK = "language_leak"
    DUPLICATE_QUESTION = "duplicate_question"
    NEAR_DUPLICATE = "near_duplicate"
    SHARED_QUESTION = "shared_question"
    LABEL_IMBALANCE = "label_imbalance"
    ONE_SIDED_WORD = "one_sided_word"
    BLIND_BASELINE = "blind_baseline"
    HINT_QUOTE = "hint_quote"
    ANSWER_DEBRIS = "answer_debris"
    PICTURE_MISSING = "picture_missing"
    PICTURE_UNDECODABLE = "picture_undecodable"
    SHARED_PICTURE = "shared_picture"
    CHECKS_LEFT_OUT = "checks_left_out"


class Example(Record):
    """`evidence`: what in the row was seen."""

    id: str
    text: str
    evidence: str


class Finding(Record):
    """`split` is None where a finding is about several. `count` is one of `unit`. `ids`: all rows."""

    kind: Kind
    severity: Severity
    split: str | None
    count: int
    unit: str = "row"
    message: str
    ids: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def counted(self) -> str:
        return count_of(self.count, self.unit)


class PremiseFinding(Finding):
    """`count`: by whole words. `as_substring`: letter by letter, within longer words too."""

    as_substring: int


class MissingPremiseFinding(Finding):
    """Of the counted rows, which do not state the premise letter by letter, `words_missing` lack one of its words."""

    positives: int
    words_missing: int


class SubtypeCount(Record):
    subtype: str
    sound: int
    flawed: int


class ImbalanceFinding(Finding):
    unit: str = "subtype"
    subtypes: tuple[SubtypeCount, ...]


FIRST, ANYWHERE = "first", "anywhere"


class OneSidedWord(Record):
    """`place`: FIRST for the first word of the question, or ANYWHERE. Counts are rows."""

    word: str
    place: str
    sound: int
    flawed: int

    @property
    def name(self) -> str:
        return f"first word {self.word}" if self.place == FIRST else self.word


class WordFinding(Finding):
    unit: str = "word"
    words: tuple[OneSidedWord, ...]


class BlindFinding(Finding):
    """`accuracy`, `interval` and `auc` of the best text classifier, `majority` of the more frequent label. All these
    are explained in `filters.blind_baseline`. `count` rows were measured, drawn from `of_rows`."""

    of_rows: int

    accuracy: float
    interval: tuple[float, float]
    auc: float | None
    auc_interval: tuple[float, float] | None
    majority: float
    limit: float
    classifiers: tuple[BlindScore, ...]
    subtypes: tuple[SubtypeScore, ...]
    features: tuple[TellingFeature, ...]
    picture: BlindScore | None

    @property
    def scores(self) -> tuple[BlindScore, ...]:
        return (*self.classifiers, self.picture) if self.picture else self.classifiers


class Skipped(Record):
    """A check that the data give no ground for."""

    kind: Kind
    split: str | None
    reason: str


class LintReport(Record):
    """`columns`: which one was taken for what."""

    data: str
    rows: int
    splits: dict[str, int]
    findings: tuple[SerializeAsAny[Finding], ...]
    skipped: tuple[Skipped, ...] = ()
    columns: dict[str, str] = Field(default_factory=dict)

    def worst(self) -> Severity | None:
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in reversed(Severity) if severity in found), None)


class Hit(NamedTuple):
    """A row in which a check saw something."""

    row: LintRow
    evidence: str


def ids_of(hits: Iterable[Hit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.row.id for hit in hits))


def examples_of(hits: Iterable[Hit]) -> tuple[Example, ...]:
    """Spread over what was seen: another piece of evidence goes before one that is there already."""
    seen: dict[str, list[Hit]] = {}
    for hit in hits:
        seen.setdefault(hit.evidence, []).append(hit)
    first = [hits[0] for hits in seen.values()]
    more = [hit for hits in seen.values() for hit in hits[1:]]
    return tuple(
        Example(id=hit.row.id, text=shorten(hit.row.question), evidence=shorten(hit.evidence))
        for hit in [*first, *more][:_EXAMPLES]
    )


def count_of(count: int, unit: str) -> str:
    """`unit` in the singular."""
    return f"{count:,} {unit}{'' if count == 1 else 's'}"


def shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]} ..."


def make_finding(kind: Kind, severity: Severity, split: str | None, message: str, hits: list[Hit]) -> list[Finding]:
    """None where there are no hits."""
    if not hits:
        return []
    return [
        Finding(
            kind=kind,
            severity=severity,
            split=split,
            count=len(hits),
            message=message,
            ids=ids_of(hits),
            examples=examples_of(hits),
        )
    ]
