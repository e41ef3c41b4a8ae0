"""Whether an answer to learn from quotes what its writer was told in secret: a teacher that is given the right premise
must not say so (a fifth of the released answers of Judge Before Answer do)."""

import re
from collections.abc import Sequence

from linting.findings import Finding, Hit, Kind, Severity, make_finding
from linting.rows import LintRow

_HINT = re.compile(r"\b(?:in)?correct premise\b", re.IGNORECASE)
_DEBRIS = re.compile(
    r"\b(?:in)?correct_premise\b|\b(?:given|provided|supplied)\s+(?:correct\s+)?(?:premise|label|hint)\b"
    r"|\b(?:according to|as|per|following) the (?:hint|label|instructions?|ground[- ]truth)\b|\bthe hint\b"
    r"|\bground[- ]truth\b|正确前提|根据提示|标签(?:是|为)",
    re.IGNORECASE,
)


def check_answers(split: str, rows: Sequence[LintRow]) -> list[Finding]:
    answered = [row for row in rows if row.answer]
    quotes = [_hit(row, found) for row in answered if (found := _HINT.search(row.answer or ""))]
    fields = [_hit(row, found) for row in answered if (found := _DEBRIS.search(row.answer or ""))]
    told = f"of {len(answered)} answers speak of the correct premise, as their writer was told it"
    return [
        *make_finding(Kind.HINT_QUOTE, Severity.ERROR, split, told, quotes),
        *make_finding(Kind.ANSWER_DEBRIS, Severity.WARNING, split, "answers name what only the prompt held", fields),
    ]


def _hit(row: LintRow, found: re.Match[str]) -> Hit:
    answer = " ".join((row.answer or "")[max(0, found.start() - 60) : found.end() + 60].split())
    return Hit(row, f"... {answer} ...")
