"""A lint report as one HTML page that needs no other file and loads nothing. What comes from the data is escaped."""

from collections.abc import Collection, Iterable, Sequence
from html import escape

from linting.findings import BlindFinding, Finding, ImbalanceFinding, LintReport, WordFinding, count_of
from linting.text_report import describe_columns, summarise

_SHOWN_IDS = 200
_SHOWN_WORDS = 100
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --error: #b3261e; --warning: #8a5a00; --info: #1f6f43; }
@media (prefers-color-scheme: dark) { :root { --error: #ff8a80; --warning: #ffcb6b; --info: #7fd8a4; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 0 0 .3rem; }
section { border: 1px solid var(--line); border-left: .4rem solid; border-radius: .4rem; padding: .8rem 1rem; }
section { margin: 1rem 0; }
.error { border-left-color: var(--error); }
.warning { border-left-color: var(--warning); }
.info { border-left-color: var(--info); }
.mark { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; font-weight: 600; }
.mark.error { color: var(--error); } .mark.warning { color: var(--warning); } .mark.info { color: var(--info); }
td:first-child { min-width: 7rem; } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; white-space: pre-line; } td.number, th.number { text-align: right; white-space: nowrap; }
summary { cursor: pointer; } .ids { font: .85rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere; }
"""


def render_html(report: LintReport) -> str:
    splits = _table(("split", "rows"), report.splits.items(), numbers={1})
    overview = _table(
        ("severity", "kind", "split", "count"),
        ((one.severity, one.kind, one.split or "several", one.counted) for one in report.findings),
        numbers={3},
    )
    skipped = "".join(
        f"<p>Left out: {escape(one.kind)} of {escape(one.split or 'several')}: {escape(one.reason)}.</p>"
        for one in report.skipped
    )
    columns = f"<p>Columns: {escape(describe_columns(report))}.</p>"
    title = escape(f"Lint of {report.data}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>{title}</h1><p>{count_of(report.rows, 'row')}. {escape(summarise(report))}.</p>"
        f"{columns}{splits}{overview}{skipped}\n" + "\n".join(map(_section, report.findings)) + "\n</body></html>"
    )


def _section(finding: Finding) -> str:
    where = f" in {escape(finding.split)}" if finding.split else ""
    head = (
        f'<span class="mark {finding.severity}">{finding.severity}</span><h2>{escape(finding.kind)}{where}: '
        f"{finding.counted}</h2><p>{escape(finding.message)}</p>"
    )
    examples = _table(("row", "text", "seen"), ((one.id, one.text, one.evidence) for one in finding.examples))
    return f'<section class="{finding.severity}">{head}{_details(finding)}{examples}{_ids(finding.ids)}</section>'


def _details(finding: Finding) -> str:
    match finding:
        case BlindFinding():
            return _blind(finding)
        case WordFinding():
            rows = ((one.word, one.place, one.flawed, one.sound) for one in finding.words[:_SHOWN_WORDS])
            return _folded(finding.counted, _table(("word", "place", "flawed", "sound"), rows, {2, 3}))
        case ImbalanceFinding():
            rows = ((one.subtype, one.flawed, one.sound) for one in finding.subtypes)
            return _table(("subtype", "flawed", "sound"), rows, {1, 2})
        case _:
            return ""


def _blind(finding: BlindFinding) -> str:
    scores = [(score.classifier, score) for score in finding.scores]
    scores += [(f"subtype {one.subtype} ({one.score.classifier})", one.score) for one in finding.subtypes]
    rows = (
        (name, one.rows, f"{one.accuracy:.3f}", f"{one.interval[0]:.3f} to {one.interval[1]:.3f}", _number(one.auc))
        for name, one in scores
    )
    features = ((one.feature, one.flawed, one.sound, f"{one.z:+.1f}") for one in finding.features)
    return _table(("classifier", "rows", "accuracy", "95 % interval", "AUC"), rows, {1, 2, 3, 4}) + _folded(
        "the most telling words", _table(("words", "flawed", "sound", "z"), features, {1, 2, 3})
    )


def _ids(ids: Sequence[str]) -> str:
    if not ids:
        return ""
    more = f" and {len(ids) - _SHOWN_IDS} more" if len(ids) > _SHOWN_IDS else ""
    return _folded(count_of(len(ids), "row"), f'<p class="ids">{escape(", ".join(ids[:_SHOWN_IDS]))}{more}</p>')


def _folded(name: str, content: str) -> str:
    return f"<details><summary>{escape(name)}</summary>{content}</details>"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(names: Sequence[str], rows: Iterable[Sequence[object]], numbers: Collection[int] = ()) -> str:
    kinds = [' class="number"' if place in numbers else "" for place in range(len(names))]
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(str(cell))}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    if not body:
        return ""
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, names, strict=True))
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
