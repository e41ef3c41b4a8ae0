"""One injector on new sources, into an existing or a new build."""

from typing import Annotated

from prefect import flow
from pydantic import Field

from core.requests import (
    DEFAULT_MODELS,
    LIMIT,
    MODELS,
    RECIPE,
    SEED,
    SOURCES,
    ModelChoice,
    make_request,
    require_build_name,
)
from core.taxonomy import Subtype
from flows.build_benchmark import make_candidates
from tasks.artifacts import publish_summary
from tasks.family_overlap import tell_overlap
from tasks.fan_out import task_threads
from tasks.finished import tell_new
from tasks.panel_check import check_panel
from tasks.prompt_check import check_prompts
from tasks.runs import open_run
from tasks.summaries import BuildSummary, summarise

INTO = Field(default=None, description="build that the candidates join; the recipe's name when left out")


@flow(name="run-injector", flow_run_name="{injector} of {recipe}", task_runner=task_threads(), persist_result=False)
def run_injector(
    injector: Subtype,
    recipe: Annotated[str, RECIPE] = "starter",
    sources: Annotated[tuple[str, ...] | None, SOURCES] = None,
    into: Annotated[str | None, INTO] = None,
    limit: Annotated[int | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
    models: Annotated[ModelChoice, MODELS] = DEFAULT_MODELS,
) -> BuildSummary:
    """Adds to the build; what it held stays. Export is a flow of its own. Raises FlawbenchError.

    Args:
        injector: the injector to run
        recipe: name of a shipped recipe, or path of a YAML file
        sources: readers of the recipe to use; all of them when left out
        into: build that the candidates join; the recipe's name when left out
        limit: take at most this many questions; targets shrink to it
        seed: seed of all choices; the recipe's own when left out
        models: which models to ask, and the budget; rules alone when none are set
    """
    request = make_request(recipe, sources, (injector,), limit, seed, models)
    resolved = request.resolve()
    check_panel(resolved)
    check_prompts(resolved)
    tell_overlap(resolved)
    with open_run(
        "run-injector", resolved.name if into is None else require_build_name(into), resolved, request
    ) as run:
        if into is not None:
            tell_new(into, run.lineage)
        made = make_candidates(run, limit, replace=False)
        summary = summarise(run, None, made.shortfalls, kept=made.kept)
        publish_summary(summary, run)
    return summary
