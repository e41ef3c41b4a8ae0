"""Whether the premise of a question is one, stands in a sound question and does not stand in a flawed one."""

import re
from collections.abc import Sequence

from linting.findings import (
    Finding,
    Hit,
    Kind,
    MissingPremiseFinding,
    PremiseFinding,
    Severity,
    examples_of,
    ids_of,
    make_finding,
)
from linting.rows import LintRow
from sources.text_keys import normalise

_AROUND = " \t\r\n'\"`“”‘’«»「」《》.,;:!?。，！*()[]"
_PROPERTY = "(?:visible|clear|discernible|explicit|specific|obvious|apparent|recognizable|readable|legible)"
_CONTENT = "(?:texts?|words?|writing|symbols?|logos?|emotions?|premise|content|objects?|relations?|relationships?)"
_NOTHING = re.compile(
    rf"""(?: no | none | null | nil | n\s*/\s*a | nothing (?:\s+found)? | absent
      | not\s+(?:applicable|present|found|visible|available)
      | (?:there\s+(?:is|are)\s+)? no\s+(?:{_PROPERTY}\s+)* {_CONTENT} (?:\s+(?:is|are))?
        (?:\s+(?:present|visible|found|detected|shown|available))? (?:\s+in\s+the\s+(?:image|picture|photo))?
      | no[,;:.-]\s.* | 无 | 没有 | 否 | 不存在 | 不适用 | 未找到 )""",
    re.IGNORECASE | re.VERBOSE,
)
_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot", "mice": "mouse"}
_STOP = frozenset(
    normalise("a an the is are was were be being of to in on at and or with by for its their his her it").split()
)


def check_premises(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    with_premise = [row for row in rows if row.premise is not None]
    real = [row for row in with_premise if not is_nothing(row.premise or "")]
    return [*_find_nothing(split, with_premise), *_find_unreplaced(split, real), *_find_absent(split, real)]


def is_nothing(premise: str) -> bool:
    """A reply that there is no such premise, which was taken for one: `No`, `'No'`, `None.`, `No text`."""
    return _NOTHING.fullmatch(bare(premise)) is not None


def bare(text: str) -> str:
    """Without quotes, marks and blanks around it."""
    return text.strip(_AROUND)


def states(question: str, premise: str) -> bool:
    """Whether the premise stands there as whole words, in the singular or with an `s`."""
    wanted, words = normalise(premise), f" {normalise(question)} "
    return bool(wanted) and any(f" {wanted}{ending} " in words for ending in ("", "s", "es"))


def _find_nothing(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    hits = [
        Hit(row, f"{name}: {value}")
        for row in rows
        for name, value in (("premise", row.premise), ("replacement", row.replacement))
        if value is not None and is_nothing(value)
    ]
    message = "rows whose premise says that there is none: a refusal was taken for content"
    return make_finding(Kind.NO_LEAK, Severity.ERROR, split, message, hits)


def _find_unreplaced(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    flawed = [row for row in rows if row.label is False]
    hits = [Hit(row, f"premise: {row.premise}") for row in flawed if _is_unreplaced(row)]
    if not hits:
        return []
    wide = sum(1 for row in flawed if bare(row.premise or "").casefold() in row.question.casefold())
    return [
        PremiseFinding(
            kind=Kind.PREMISE_NOT_REPLACED,
            severity=Severity.ERROR,
            split=split,
            count=len(hits),
            message=f"of {len(flawed)} flawed questions still state the true premise",
            ids=ids_of(hits),
            examples=examples_of(hits),
            as_substring=wide,
        )
    ]


def _is_unreplaced(row: LintRow) -> bool:
    premise = row.premise or ""
    same = row.replacement is not None and normalise(row.replacement) == normalise(premise)
    return same or states(row.question, premise)


def _find_absent(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    sound = [row for row in rows if row.label is True]
    hits = [Hit(row, f"premise: {row.premise}") for row in sound if not states(row.question, row.premise or "")]
    if not hits:
        return []
    lacking = [hit for hit in hits if not _has_words(hit.row)]
    return [
        MissingPremiseFinding(
            kind=Kind.PREMISE_MISSING_IN_POSITIVE,
            severity=Severity.WARNING,
            split=split,
            count=len(hits),
            message=f"of {len(sound)} sound questions do not state their premise as it is; "
            f"{len(lacking)} of them lack at least one of its words",
            ids=ids_of(hits),
            examples=examples_of(dict.fromkeys([*lacking, *hits])),
            positives=len(sound),
            words_missing=len(lacking),
        )
    ]


def _has_words(row: LintRow) -> bool:
    """Each word of the premise, but those without meaning, or one that begins like it (walk, walking)."""
    words = normalise(row.question).split()
    wanted = [word for word in normalise(row.premise or "").split() if word not in _STOP]
    return all(any(_alike(word, other) for other in words) for word in wanted)


def _alike(word: str, other: str) -> bool:
    if _PLURALS.get(other, other) == _PLURALS.get(word, word):
        return True
    size = max(3, min(len(word), len(other)) - 2)
    return min(len(word), len(other)) > 3 and word[:size] == other[:size]
