"""Subjects of the sources as the nine labels of `core.records.Subject`; the mapping is data (`subjects.yaml`)."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import yaml
from pydantic import Field

from core.records import Record, Subject
from sources.base import QuarantineReason
from sources.rows import UnusableRowError

FILE = Path(__file__).with_name("subjects.yaml")


class WordRule(Record):
    """`subject` when the question holds one of the words, in any case."""

    words: tuple[str, ...]
    subject: Subject


class SourceSubjects(Record):
    """`labels` by the source's own value; `words` are tried before it, for values that span several subjects."""

    labels: dict[str, Subject]
    words: dict[str, tuple[WordRule, ...]] = Field(default_factory=dict)


def subject_of(source: str, values: Sequence[str], text: str | None = None) -> Subject:
    """The subject of the first value that the file knows. Raises SUBJECT_UNKNOWN."""
    table = _tables().get(source)
    if table is not None:
        lowered = (text or "").lower()
        for value in values:
            for rule in table.words.get(value, ()):
                if any(word.lower() in lowered for word in rule.words):
                    return rule.subject
            if value in table.labels:
                return table.labels[value]
    seen = ", ".join(repr(value) for value in values)
    raise UnusableRowError(
        QuarantineReason.SUBJECT_UNKNOWN, f"{seen} of {source} is not in sources/subjects.yaml: add it there"
    )


@cache
def _tables() -> dict[str, SourceSubjects]:
    content = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {source: SourceSubjects.model_validate(table) for source, table in content.items()}
