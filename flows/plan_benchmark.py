"""What a build would ask of models and pay: sources and sampling for real, no model asked."""

from typing import Annotated

from prefect import flow

from core.requests import DEFAULT_MODELS, LIMIT, MODELS, RECIPE, SEED, SOURCES, SUBTYPES, ModelChoice, make_request
from core.taxonomy import Subtype
from tasks.estimating import PlanLine, estimate
from tasks.family_overlap import tell_overlap
from tasks.fan_out import run_all_shards, task_threads
from tasks.handing import unsearched
from tasks.panel_check import check_panel
from tasks.picture_check import check_pool_pictures
from tasks.pooling import choose_samples
from tasks.prompt_check import check_prompts
from tasks.reading import read_source, source_shards
from tasks.runs import open_run


@flow(name="plan-benchmark", flow_run_name="plan {recipe}", task_runner=task_threads(), persist_result=False)
def plan_benchmark(
    recipe: Annotated[str, RECIPE] = "starter",
    sources: Annotated[tuple[str, ...] | None, SOURCES] = None,
    subtypes: Annotated[tuple[Subtype, ...] | None, SUBTYPES] = None,
    limit: Annotated[int | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
    models: Annotated[ModelChoice, MODELS] = DEFAULT_MODELS,
) -> list[PlanLine]:
    """Calls, tokens and money by stage and model. The questions that are read are stored, as a build would.

    Args:
        recipe: name of a shipped recipe, or path of a YAML file
        sources: readers of the recipe to use; all of them when left out
        subtypes: subtypes to build; all that the recipe names when left out
        limit: take at most this many questions; targets shrink to it
        seed: seed of all choices; the recipe's own when left out
        models: which models to ask, and the budget
    """
    request = make_request(recipe, sources, subtypes, limit, seed, models)
    resolved = request.resolve()
    check_panel(resolved)
    check_prompts(resolved)
    tell_overlap(resolved)
    with open_run("plan-benchmark", resolved.name, resolved, request, asks_models=False) as run:
        read = run_all_shards(read_source, "sources", source_shards(run.recipe), run)
        pool = choose_samples(unsearched(read), limit, run).pool
        check_pool_pictures(unsearched(pool), run)
        return estimate(pool, run)
