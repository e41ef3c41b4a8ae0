"""Commands that only read: what was made of what, and why the rest was dropped. They need neither Prefect nor torch."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal import print_out

if TYPE_CHECKING:
    from storage.lineage import Lineage

JsonOption = Annotated[bool, typer.Option("--json", help="JSON for programs.")]

BuildArgument = Annotated[str | None, typer.Argument(help="Name of the build; the newest when left out.")]


def lineage(
    item: Annotated[str, typer.Argument(help="An id, or its first 8 characters.")], as_json: JsonOption = False
) -> None:
    """Print where an item came from and what became of it."""
    from cli.tables import chain_tree

    node = open_lineage().chain(item)
    print_out(node.model_dump_json(indent=2) if as_json else chain_tree(node))


def funnel(
    build: BuildArgument = None,
    source: Annotated[str | None, typer.Option(help="Count the questions of this source alone.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print how many items came to each stage of a build, and why the others left."""
    from cli.build_tables import funnel_view

    found = open_lineage().funnel(build_or_newest(build), source)
    print_out(found.model_dump_json(indent=2) if as_json else funnel_view(found))


def quarantine(build: BuildArgument = None, as_json: JsonOption = False) -> None:
    """List the source rows that cannot be used, with reasons."""
    from cli.tables import quarantine_table

    name = build_or_newest(build)
    rows = open_lineage().quarantined(name)
    if as_json:
        print_out(json.dumps([row._asdict() for row in rows], ensure_ascii=False))
    else:
        print_out(quarantine_table(rows) if rows else f"No row of build {name} is quarantined.")


def builds(
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Only the names under which no run has kept a row.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the builds in the data folder: which models made and judged them, and what they hold."""
    from cli.build_tables import builds_table

    found = open_lineage().builds()
    shown = [summary for summary in found if (summary.models is None) is unfinished]
    if as_json:
        print_out(json.dumps([summary.model_dump(mode="json") for summary in shown]))
        return
    kind = "unfinished build" if unfinished else "build"
    print_out(builds_table(shown) if shown else f"There is no {kind}.")
    hidden = len(found) - len(shown)
    if hidden and not unfinished:
        print_out(f"Not listed: {hidden} that no run has finished. See `flawbench builds --unfinished`.")


def sql(query: Annotated[str, typer.Argument(help="One SELECT in DuckDB's SQL.")], as_json: JsonOption = False) -> None:
    """Ask the lineage file anything, read-only."""
    from cli.json_rows import json_rows
    from cli.tables import answer_table

    columns, rows = open_lineage().query(query)
    if as_json:
        print_out(json_rows(columns, rows))
    else:
        print_out(answer_table(columns, rows))


def open_lineage() -> "Lineage":
    from core.settings import load_settings
    from tasks import stores

    return stores.open_lineage(load_settings())


def build_or_newest(name: str | None) -> str:
    from core.errors import StorageError

    if name is not None:
        return name
    found = sorted(open_lineage().builds(), key=lambda summary: summary.models is None)
    if not found:
        raise StorageError("The lineage file holds no build.", "Run `flawbench build`.")
    return found[0].build
