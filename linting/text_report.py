"""A lint report for a terminal."""

import textwrap
from collections import Counter

from linting.findings import BlindFinding, Finding, Kind, LintReport, Severity, WordFinding, count_of

_WIDTH = 120
_SHOWN = 3
_WORDS = 12


def render_text(report: LintReport) -> str:
    """Worst first; each finding with a few rows."""
    splits = ", ".join(f"{name} {count}" for name, count in report.splits.items())
    lines = [f"{report.data}: {count_of(report.rows, 'row')} ({splits})", f"columns  {describe_columns(report)}", ""]
    for finding in report.findings:
        lines += [*_describe(finding, several=len(report.splits) > 1), ""]
    lines += [f"left out  {skipped.kind} of {skipped.split}: {skipped.reason}" for skipped in report.skipped]
    return "\n".join([*lines, summarise(report)])


def describe_columns(report: LintReport) -> str:
    return ", ".join(role if role == column else f"{role}={column}" for role, column in report.columns.items())


def summarise(report: LintReport) -> str:
    counts = Counter(finding.severity for finding in report.findings)
    left_out = [finding.count for finding in report.findings if finding.kind is Kind.CHECKS_LEFT_OUT]
    errors, warnings = (count_of(counts[one], one) for one in (Severity.ERROR, Severity.WARNING))
    within = f"{count_of(counts[Severity.INFO] - len(left_out), 'part')} within the limit of the blind baseline"
    unlabelled = f", {count_of(sum(left_out), 'check')} left out: no labels" if left_out else ""
    return f"{errors}, {warnings}, {within}{unlabelled}"


def _describe(finding: Finding, several: bool) -> list[str]:
    where = f" [{finding.split}]" if several and finding.split else ""
    lines = [f"{finding.severity:<8} {finding.kind}{where}  {finding.counted}", _indent(finding.message)]
    if isinstance(finding, BlindFinding):
        lines += [_indent(line) for line in _blind_lines(finding)]
    if isinstance(finding, WordFinding):
        words = (f"{word.name} {word.flawed}:{word.sound}" for word in finding.words[:_WORDS])
        lines.append(_indent(f"flawed:sound  {', '.join(words)}"))
    for example in finding.examples[:_SHOWN]:
        lines.append(_indent(f"{example.id}  {_flat(example.text)}  <- {_flat(example.evidence)}"))
    return lines


def _blind_lines(finding: BlindFinding) -> list[str]:
    lines = [
        f"{score.classifier}: accuracy {score.accuracy:.3f} ({score.interval[0]:.3f} to {score.interval[1]:.3f})"
        + ("" if score.auc is None else f", AUC {score.auc:.3f}")
        for score in finding.scores
    ]
    lines += [
        f"subtype {one.subtype}: {one.score.accuracy:.3f} of {count_of(one.score.rows, 'row')}"
        for one in finding.subtypes
    ]
    told = ", ".join(f"{one.feature} {one.flawed}:{one.sound}" for one in finding.features[:_WORDS])
    return [*lines, *([f"telling, flawed:sound  {told}"] if told else [])]


def _indent(text: str) -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent="         ", subsequent_indent="           ", break_long_words=False
    )


def _flat(text: str) -> str:
    return " ".join(text.split())
