"""`flawbench plan` before money is spent, and `flawbench refilter` instead of spending it again."""

from typing import Annotated, Literal

import typer

from cli.build import (
    BudgetOption,
    LimitOption,
    ModelsOption,
    RecipeOption,
    RetryOption,
    SeedOption,
    SetOption,
    SourceOption,
    SubtypeOption,
    announce,
    choose,
    given,
    show,
)
from cli.here import flows_here
from cli.terminal import print_out


def plan(
    recipe: RecipeOption = "starter",
    source: SourceOption = None,
    subtype: SubtypeOption = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
    models: ModelsOption = None,
    changes: SetOption = None,
    budget: BudgetOption = None,
) -> None:
    """Estimate the calls, tokens and money of a build, stage by stage. Reads the sources, asks no model."""
    from core.requests import make_request
    from sources.checking import check_sources

    sources, subtypes, choice = given(source), given(subtype), choose(models, changes, budget)
    resolved = make_request(recipe, sources, subtypes, limit, seed, choice).resolve()
    check_sources(resolved.sources)
    with flows_here():
        from flows.plan_benchmark import plan_benchmark

        lines = plan_benchmark(recipe, sources, subtypes, limit, seed, choice)
    from cli.plan_table import plan_view

    print_out(plan_view(lines, resolved.models.budget_usd if resolved.models else None), soft_wrap=True)


def refilter(
    build: Annotated[str, typer.Argument(help="Name of the build.")],
    rule: Annotated[
        Literal["all", "any", "majority"], typer.Option("--rule", help="Which validators must pass a candidate.")
    ] = "all",
) -> None:
    """Decide from the stored votes by another rule, and export. No model is asked."""
    from tasks.finished import recipes_of, with_rule

    with_rule(recipes_of(build).own, rule)
    with flows_here():
        from flows.refilter_benchmark import refilter_benchmark

        summary = refilter_benchmark(build, rule)
    show(summary)


def combine(
    build: Annotated[str, typer.Argument(help="Name of the build whose candidates get a second flaw.")],
    models: ModelsOption = None,
    changes: SetOption = None,
    budget: BudgetOption = None,
    retry_failed: RetryOption = False,
) -> None:
    """Make samples with two flaws out of a build's candidates, as the build NAME-dual."""
    from tasks.finished import recipes_of

    choice, recipe = choose(models, changes, budget, retry_failed), recipes_of(build).own[0]
    announce(recipe.model_copy(update={"models": choice.resolve(recipe.models)}), choice)
    with flows_here():
        from flows.combine_benchmark import combine_benchmark

        summary = combine_benchmark(build, choice)
    show(summary)
