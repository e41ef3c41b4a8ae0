"""`flawbench lint`: looks through any data set of questions for what is known to go wrong."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal import print_out, tell


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    HTML = "html"


class FailOn(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def lint(
    data: Annotated[
        list[str],
        typer.Argument(
            help="A release, a Parquet, JSON or JSON lines file, a folder of them, or owner/name of the Hub."
        ),
    ],
    mapping: Annotated[
        list[str] | None,
        typer.Option("--map", help="NAME=COLUMN, such as question=text or label=!is_flawed; repeatable."),
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="Folder in which pictures that rows name are looked up.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="Config of a data set of the Hub.")] = None,
    revision: Annotated[str | None, typer.Option("--revision", help="Commit of a data set of the Hub.")] = None,
    shape: Annotated[Format, typer.Option("--format", help="Of what is printed.")] = Format.TEXT,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Status 1 when a finding is at least this severe.")
    ] = FailOn.ERROR,
    limit: Annotated[
        float, typer.Option("--limit", min=0.5, max=1.0, help="Of the accuracy of whoever sees the text alone.")
    ] = 0.6,
) -> None:
    """Find leaks, leftovers, duplicates, imbalance and labels that the text alone gives away, in any data set."""
    from linting.checking import lint as check
    from linting.columns import parse_mapping
    from linting.findings import Severity
    from linting.reading import HubChoice, read_data
    from linting.watching import Watch

    chosen, watch = parse_mapping(tuple(mapping or ())), Watch(tell)
    report = check(read_data(data, chosen, pictures, HubChoice(config, revision), watch), limit, watch)
    match shape:
        case Format.JSON:
            print_out(report.model_dump_json(indent=2))
        case Format.HTML:
            from linting.html_report import render_html

            print_out(render_html(report))
        case Format.TEXT:
            from linting.text_report import render_text

            print_out(render_text(report))
    worst = report.worst()
    if worst is not None and worst.reaches(Severity(fail_on)):
        raise typer.Exit(1)
