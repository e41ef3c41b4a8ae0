"""Reports say everything once, and nothing of the data is read as markup."""

import json
from html.parser import HTMLParser

from linting.checking import lint
from linting.findings import LintReport
from linting.html_report import render_html
from linting.rows import DataSet, LintRow
from linting.text_report import render_text

_HOSTILE = '<script>alert(1)</script> & "quoted" **bold** Output: what is it?'


def _report() -> LintReport:
    nouns = ("cat", "dog", "boat", "tree")
    rows = [
        LintRow(
            f"r{n}<b>", "te<i>st", f"{'Might' if n % 2 else 'Is'} the {nouns[n % 4]} {n} there?", n % 2 == 0, "<u>s</u>"
        )
        for n in range(60)
    ]
    return lint(
        DataSet("<b>data</b>", {"te<i>st": [*rows, LintRow("x", "te<i>st", _HOSTILE, False, "<u>s</u>", "<b>No</b>")]})
    )


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_shows_data_as_text_and_loads_nothing() -> None:
    page = _Tags()
    page.feed(render_html(_report()))
    assert page.names.isdisjoint({"script", "b", "i", "u", "link", "img"})
    assert page.addresses == []
    assert _HOSTILE in page.text
    assert "blind_baseline" in page.text
    assert "first: might" in page.text


def test_json_holds_what_each_kind_has_of_its_own() -> None:
    findings = {one["kind"]: one for one in json.loads(_report().model_dump_json())["findings"]}
    blind = findings["blind_baseline"]
    assert blind["accuracy"] > 0.9
    assert len(blind["interval"]) == 2
    assert blind["auc"] > 0.9
    assert findings["one_sided_word"]["words"][0]["word"] == "is"
    assert all({"kind", "severity", "count", "ids", "examples"} <= one.keys() for one in findings.values())


def test_the_text_names_every_kind_with_its_count() -> None:
    report = _report()
    text = render_text(report)
    for finding in report.findings:
        assert f"{finding.kind}  {finding.counted}" in text
    assert "61 rows" in text
    assert "first word might" in text


def test_one_of_a_thing_is_one_and_all_reports_name_what_they_count() -> None:
    report = _report()
    findings = {one["kind"]: one for one in json.loads(report.model_dump_json())["findings"]}
    assert (findings["blind_baseline"]["count"], findings["blind_baseline"]["unit"]) == (61, "row")
    assert findings["one_sided_word"]["unit"] == "word"
    for told in (render_text(report), render_html(report)):
        assert "2 errors, 1 warning, 0 parts within the limit of the blind baseline" in told
    assert "prompt_debris  1 row\n" in render_text(report)
    assert "prompt_debris in te&lt;i&gt;st: 1 row<" in render_html(report)
    assert "\n1 error, 0 warnings" in render_text(report.model_copy(update={"findings": report.findings[:1]}))


def test_where_nothing_tells_no_word_is_announced() -> None:
    rows = [LintRow(f"r{n}", "s", f"What is thing {n // 2}?", n % 2 == 0, pair=str(n // 2)) for n in range(60)]
    told, untold = render_text(_report()), render_text(lint(DataSet("data", {"s": rows})))
    assert "telling, flawed:sound" in told
    assert "blind_baseline" in untold
    assert "telling" not in untold
