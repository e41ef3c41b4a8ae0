"""`flawbench premises`: the flow that builds premise pairs, run in this process."""

from typing import Annotated

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
    announce,
    choose,
    given,
    show,
)
from cli.here import flows_here
from core.taxonomy import PremiseSubtype

PremiseSubtypeOption = Annotated[
    list[PremiseSubtype] | None, typer.Option("--subtype", help="Only this premise subtype; repeatable.")
]
RebalanceOption = Annotated[
    bool, typer.Option("--rebalance", help="Leave out the fewest rows that let labels no longer be told from the text.")
]


def premises(
    recipe: RecipeOption = "premises",
    source: SourceOption = None,
    subtype: PremiseSubtypeOption = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
    models: ModelsOption = None,
    changes: SetOption = None,
    budget: BudgetOption = None,
    rebalance: RebalanceOption = False,
    retry_failed: RetryOption = False,
) -> None:
    """Build premise pairs: find premises, write, verify, select, answer, export. Run again, it does what is missing."""
    from core.premise_requests import PremiseRequest
    from sources.checking import check_sources

    sources, subtypes, choice = given(source), given(subtype), choose(models, changes, budget, retry_failed)
    request = PremiseRequest(recipe=recipe, sources=sources, subtypes=subtypes, limit=limit, seed=seed, models=choice)
    resolved = request.resolve()
    check_sources(resolved.sources)
    announce(resolved, choice)
    with flows_here():
        from flows.build_premise_pairs import build_premise_pairs

        summary = build_premise_pairs(recipe, sources, subtypes, limit, seed, choice, rebalance)
    show(summary)
