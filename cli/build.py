"""`flawbench build`, `inject` and `export`: the flows of the deployments, run in this process."""

import re
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from cli.here import flows_here
from cli.terminal import print_out, tell
from core.taxonomy import Subtype

if TYPE_CHECKING:
    from core.recipe import Recipe
    from core.requests import ModelChoice
    from tasks.premise_summaries import PremiseSummary
    from tasks.summaries import BuildSummary

Value = TypeVar("Value")
_CREDENTIALS = re.compile(r"://[^/\s]*@")

RecipeOption = Annotated[str, typer.Option("--recipe", "-r", help="Name of a shipped recipe, or path of a YAML file.")]
SourceOption = Annotated[list[str] | None, typer.Option("--source", help="Only this reader of the recipe; repeatable.")]
SubtypeOption = Annotated[list[Subtype] | None, typer.Option("--subtype", help="Only this subtype; repeatable.")]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=1, max=10**9, help="Take at most this many questions; targets shrink to it."),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of all choices; the recipe's own when left out."),
]

ModelsOption = Annotated[
    str | None,
    typer.Option("--models", help="Preset or file of models to ask, or `none`: rules alone. See docs/models.md."),
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="KEY=VALUE of the models, such as budget_usd=5; repeatable.")
]
RetryOption = Annotated[
    bool, typer.Option("--retry-failed", help="Ask again what models failed at for good or refused in earlier runs.")
]
BudgetOption = Annotated[float | None, typer.Option("--budget", help="US dollars that the build must not pass.")]


def build(
    recipe: RecipeOption = "starter",
    source: SourceOption = None,
    subtype: SubtypeOption = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
    models: ModelsOption = None,
    changes: SetOption = None,
    budget: BudgetOption = None,
    retry_failed: RetryOption = False,
) -> None:
    """Build a benchmark: sample, inject, filter, store, export. Run again, it does only what is missing."""
    from core.requests import make_request
    from sources.checking import check_sources

    sources, subtypes, choice = given(source), given(subtype), choose(models, changes, budget, retry_failed)
    resolved = make_request(recipe, sources, subtypes, limit, seed, choice).resolve()
    check_sources(resolved.sources)
    announce(resolved, choice)
    with flows_here():
        from flows.build_benchmark import build_benchmark

        summary = build_benchmark(recipe, sources, subtypes, limit, seed, choice)
    show(summary)


def inject(
    injector: Annotated[Subtype, typer.Argument(help="The injector to run.")],
    recipe: RecipeOption = "starter",
    source: SourceOption = None,
    into: Annotated[
        str | None, typer.Option("--into", help="Build that the candidates join; the recipe's name when left out.")
    ] = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
    models: ModelsOption = None,
    changes: SetOption = None,
    budget: BudgetOption = None,
) -> None:
    """Run one injector on sources, into an existing or a new build."""
    from core.requests import make_request, require_build_name
    from sources.checking import check_sources

    sources, choice = given(source), choose(models, changes, budget)
    resolved = make_request(recipe, sources, (injector,), limit, seed, choice).resolve()
    if into is not None:
        require_build_name(into)
    check_sources(resolved.sources)
    announce(resolved, choice)
    with flows_here():
        from flows.run_injector import run_injector

        summary = run_injector(injector, recipe, sources, into, limit, seed, choice)
    show(summary)


def export(
    build: Annotated[str, typer.Argument(help="Name of the build.")] = "starter",
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Only rows that people accepted.")] = False,
    gate: Annotated[
        bool, typer.Option("--gate", help="Fail where the text alone tells flawed from sound; premise pairs always do.")
    ] = False,
    rebalance: Annotated[
        bool, typer.Option("--rebalance", help="Leave out the fewest rows that let the text tell it no longer.")
    ] = False,
) -> None:
    """Write the release of a build once more, from what is stored, verdicts of people included."""
    from tasks.finished import recipes_of

    recipe = recipes_of(build).own[0]
    if reviewed:
        from core.settings import load_settings
        from tasks.review_release import require_accepted

        require_accepted(build, recipe, load_settings())
    with flows_here():
        from flows.export_benchmark import export_benchmark

        summary = export_benchmark(build, reviewed, gate, rebalance)
    show(summary)


def given(values: list[Value] | None) -> tuple[Value, ...] | None:
    """Typer gives an empty list for an option that was not named."""
    return tuple(values) if values else None


def choose(
    models: str | None, changes: list[str] | None, budget: float | None, retry_failed: bool = False
) -> "ModelChoice":
    """Raises ConfigurationError for a budget that is none, and for a password, since Prefect stores what is asked."""
    from core.errors import ConfigurationError
    from core.requests import ModelChoice

    if budget is not None and not budget > 0:
        raise ConfigurationError(f"The budget is {budget} US dollars.", "Give --budget a number above 0.")
    for change in changes or ():
        if _CREDENTIALS.search(change):
            key = change.partition("=")[0]
            raise ConfigurationError(
                f"The value of `{key}` holds a user or a password.",
                "Take it out, and name the variable of the key under `key_variable`.",
            )
    return ModelChoice(use=models, changes=given(changes) or (), budget_usd=budget, retry_failed=retry_failed)


def announce(recipe: "Recipe", choice: "ModelChoice") -> None:
    """Which models will be asked, before anything is started or paid. Raises ConfigurationError when they cannot be."""
    import os

    from core.model_choice import tell_unused_keys
    from core.settings import load_settings

    settings = load_settings()
    if recipe.models is None:
        unused = tell_unused_keys(choice.use, settings, os.environ)
        if unused:
            tell(unused)
        return
    from models.preflight import preflight

    if not settings.replay:
        preflight(recipe.models, os.environ)
    limit = recipe.models.budget_usd
    budget = f"budget {limit:g} US dollars" if limit else "no budget (see --budget)"
    asked = ", ".join(
        f"{spec.id} ({name}{', replayed' if spec.replay else ''})" for name, spec in recipe.models.models.items()
    )
    tell(f"models {recipe.models.name}: {asked}; {budget}")


def show(summary: "BuildSummary | PremiseSummary") -> None:
    from cli.build_tables import summary_view
    from cli.premise_tables import premise_view
    from tasks.premise_summaries import PremiseSummary

    view = premise_view(summary) if isinstance(summary, PremiseSummary) else summary_view(summary)
    print_out(view, soft_wrap=True)
