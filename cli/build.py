"""`flawbench build`, `inject` and `export`: the flows of the deployments, run in this process."""

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cli.here import flows_here
from core.taxonomy import Subtype

if TYPE_CHECKING:
    from tasks.summaries import BuildSummary

Value = TypeVar("Value")

RecipeOption = Annotated[str, typer.Option("--recipe", "-r", help="Name of a shipped recipe, or path of a YAML file.")]
SourceOption = Annotated[list[str] | None, typer.Option("--source", help="Only this reader of the recipe; repeatable.")]
SubtypeOption = Annotated[list[Subtype] | None, typer.Option("--subtype", help="Only this subtype; repeatable.")]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="Take at most this many questions; targets shrink to it.")
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", min=0, help="Seed of all choices; the recipe's own when left out.")
]


def build(
    recipe: RecipeOption = "starter",
    source: SourceOption = None,
    subtype: SubtypeOption = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
) -> None:
    """Build a benchmark: sample, inject, filter, store, export. Run again, it does only what is missing."""
    from core.requests import make_request

    sources, subtypes = _given(source), _given(subtype)
    make_request(recipe, sources, subtypes, limit, seed).resolve()
    with flows_here():
        from flows.build_benchmark import build_benchmark

        summary = build_benchmark(recipe, sources, subtypes, limit, seed)
    _show(summary)


def inject(
    injector: Annotated[Subtype, typer.Argument(help="The injector to run.")],
    recipe: RecipeOption = "starter",
    source: SourceOption = None,
    into: Annotated[
        str | None, typer.Option("--into", help="Build that the candidates join; the recipe's name when left out.")
    ] = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
) -> None:
    """Run one injector on sources, into an existing or a new build."""
    from core.requests import make_request, require_build_name

    sources = _given(source)
    make_request(recipe, sources, (injector,), limit, seed).resolve()
    if into is not None:
        require_build_name(into)
    with flows_here():
        from flows.run_injector import run_injector

        summary = run_injector(injector, recipe, sources, into, limit, seed)
    _show(summary)


def export(build: Annotated[str, typer.Argument(help="Name of the build.")] = "starter") -> None:
    """Write the release of a build once more, from what is stored."""
    with flows_here():
        from flows.export_benchmark import export_benchmark

        summary = export_benchmark(build)
    _show(summary)


def _given(values: list[Value] | None) -> tuple[Value, ...] | None:
    """Typer gives an empty list for an option that was not named."""
    return tuple(values) if values else None


def _show(summary: "BuildSummary") -> None:
    from rich.console import Console

    from cli.tables import summary_view

    console = Console()
    console.print(summary_view(summary), soft_wrap=True)
