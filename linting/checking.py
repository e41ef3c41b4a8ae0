"""All checks over one data set."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from filters.blind_reports import LIMIT
from linting.answer_checks import check_answers
from linting.balance_checks import check_balance
from linting.blind_checks import check_blindness
from linting.column_checks import find_left_out
from linting.duplicate_checks import check_duplicates, check_shared_questions
from linting.findings import Finding, LintReport, Severity, Skipped
from linting.picture_checks import check_pictures, check_shared_pictures
from linting.premise_checks import check_premises
from linting.rows import DataSet, LintRow
from linting.text_checks import check_texts
from linting.watching import Watch

_CHECKS: Mapping[str, Callable[[str, Sequence[LintRow]], list[Finding]]] = {
    "premises": check_premises,
    "texts": check_texts,
    "answers": check_answers,
    "balance of labels": check_balance,
    "pictures": check_pictures,
}


def lint(data: DataSet, limit: float = LIMIT, watch: Watch | None = None) -> LintReport:
    """Worst findings first. `limit`: of the blind baseline. `watch` is told what begins."""
    watch = watch or Watch(lambda _: None)
    findings: list[Finding] = []
    skipped: list[Skipped] = []
    for split, rows in data.parts.items():
        for name, check in _CHECKS.items():
            watch.begin(name, split, len(rows))
            findings += check(split, rows)
        watch.begin("duplicates", split, len(rows))
        findings += check_duplicates(split, rows, data.has_twins)
    for split, rows in data.blind_parts.items():
        watch.begin("what the text alone tells", split, len(rows))
        blind, not_measured = check_blindness(split, rows, limit)
        findings += blind
        skipped += not_measured
    if len(data.parts) > 1:
        watch.begin("what two splits share", " ".join(data.parts), len(data.rows))
    findings += [*check_shared_questions(data), *check_shared_pictures(data), *find_left_out(data)]
    ranks = list(Severity)
    ordered = sorted(findings, key=lambda finding: -ranks.index(finding.severity))
    return LintReport(
        data=data.name,
        rows=len(data.rows),
        splits=dict(Counter(row.split for row in data.rows)),
        findings=tuple(ordered),
        skipped=tuple(skipped),
        columns=dict(data.columns),
    )
