"""All checks over one data set."""

from collections import Counter

from filters.blind_baseline import LIMIT
from linting.answer_checks import check_answers
from linting.balance_checks import check_balance
from linting.blind_checks import check_blindness
from linting.duplicate_checks import check_duplicates, check_shared_questions
from linting.findings import Finding, LintReport, Severity, Skipped
from linting.picture_checks import check_pictures, check_shared_pictures
from linting.premise_checks import check_premises
from linting.rows import DataSet
from linting.text_checks import check_texts


def lint(data: DataSet, limit: float = LIMIT) -> LintReport:
    """Worst findings first. `limit`: of the blind baseline."""
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    for split, rows in data.parts.items():
        findings += [
            *check_premises(split, rows),
            *check_texts(split, rows),
            *check_answers(split, rows),
            *check_duplicates(split, rows, data.has_twins),
            *check_balance(split, rows),
            *check_pictures(split, rows),
        ]
    for split, rows in data.blind_parts.items():
        blind, not_measured = check_blindness(split, rows, limit)
        findings += blind
        skipped += not_measured
    findings += [*check_shared_questions(data), *check_shared_pictures(data)]
    ranks = list(Severity)
    ordered = sorted(findings, key=lambda finding: -ranks.index(finding.severity))
    return LintReport(
        data=data.name,
        rows=len(data.rows),
        splits=dict(Counter(row.split for row in data.rows)),
        findings=tuple(ordered),
        skipped=tuple(skipped),
    )
