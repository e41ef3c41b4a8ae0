"""Checks of the question as a text: traces of its making, line breaks, words of another language."""

import re
from collections import Counter
from collections.abc import Sequence

from linting.debris import find_debris
from linting.findings import Finding, Hit, Kind, Severity, make_finding
from linting.rows import LintRow

_HAN = re.compile(r"[\u3400-\u9fff]+")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u052f\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u30ff\uac00-\ud7af]+")
_LATIN_RUN = re.compile(r"[A-Za-z]{2,}(?:\s+[A-Za-z]{2,}){2,}")
_QUOTED = re.compile(
    r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|《[^》]*》|\*\*[^*]*\*\*|(?<!\w)'[^']*'(?!\w)|\$[^$]*\$|<image \d+>"
)
_CHINESE_SHARE = 0.15  # as in sources.languages
_MIXED = 0.05  # of the rows are in the less usual language: then both are meant


def check_texts(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    debris = [Hit(row, seen) for row in rows if (seen := find_debris(row.question, row.source_text)) is not None]
    broken = [Hit(row, "a line break") for row in rows if "\n" in row.question.strip() and row.source_text is None]
    return [
        *make_finding(Kind.PROMPT_DEBRIS, Severity.ERROR, split, "questions show how they were made", debris),
        *make_finding(Kind.NEWLINE, Severity.WARNING, split, "questions of several lines", broken),
        *_find_other_language(split, rows),
    ]


def _find_other_language(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    languages = Counter(_language(row) for row in rows)
    mixed = min(languages.values(), default=0) > _MIXED * len(rows) and len(languages) > 1
    usual = max(languages, key=lambda name: languages[name], default="en")
    hits: list[Hit] = []
    for row in rows:
        seen = find_foreign(row, row.language or (_language(row) if mixed else usual))
        if seen is not None:
            hits.append(Hit(row, seen))
    return make_finding(Kind.LANGUAGE_LEAK, Severity.WARNING, split, "questions slip into another language", hits)


def find_foreign(row: LintRow, language: str) -> str | None:
    """Letters of another language outside quotes: what a picture shows is cited, and a premise that is written in it is
    such a citation without quotes."""
    text = _QUOTED.sub(" ", row.question)
    cited = f"{row.premise or ''} {row.replacement or ''} {row.source_text or ''}"
    other = _OTHER_SCRIPT.search(text) or (_HAN if language == "en" else _LATIN_RUN).search(text)
    if other is None:
        return None
    script = _HAN if language == "en" and not _OTHER_SCRIPT.search(text) else None
    if script is not None and _HAN.search(cited):
        return None
    return None if other[0] in cited else other[0]


def _language(row: LintRow) -> str:
    letters = [character for character in row.question if character.isalpha()]
    han = sum(len(run) for run in _HAN.findall(row.question))
    return "zh" if letters and han / len(letters) >= _CHINESE_SHARE else "en"
