"""Premise pairs: sample pictures, find premises, write questions, verify, select, answer, store, export."""

from typing import Annotated

from prefect import flow

from core.premise_requests import PREMISE_RECIPE, PREMISE_SUBTYPES, PremiseRequest
from core.requests import DEFAULT_MODELS, LIMIT, MODELS, SEED, SOURCES, ModelChoice
from core.taxonomy import PremiseSubtype
from tasks.exporting import export_release
from tasks.family_overlap import tell_overlap
from tasks.fan_out import run_all_shards, run_shards, task_threads
from tasks.handing import unsearched
from tasks.picture_check import check_pool_pictures
from tasks.pooling import choose_samples
from tasks.premise_planning import PremisePlan
from tasks.premise_summaries import PremiseSummary, publish_premises, summarise_premises
from tasks.premises import (
    answer_shard,
    answer_shards,
    check_premises,
    make_premise_shard,
    record_premises,
    store_selection,
    verified_items,
)
from tasks.prompt_check import check_premise_prompts
from tasks.reading import read_source, source_shards
from tasks.replacing import tell_replaced
from tasks.runs import Run, open_run
from tasks.selection import progress_recorded


@flow(name="build-premise-pairs", flow_run_name="premises {recipe}", task_runner=task_threads(), persist_result=False)
def build_premise_pairs(
    recipe: Annotated[str, PREMISE_RECIPE] = "premises",
    sources: Annotated[tuple[str, ...] | None, SOURCES] = None,
    subtypes: Annotated[tuple[PremiseSubtype, ...] | None, PREMISE_SUBTYPES] = None,
    limit: Annotated[int | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
    models: Annotated[ModelChoice, MODELS] = DEFAULT_MODELS,
    rebalance: bool = False,
) -> PremiseSummary:
    """Premise pairs from a recipe. Run again, it does only what is missing. Raises FlawbenchError.

    Args:
        recipe: name of a shipped recipe, or path of a YAML file
        sources: readers of the recipe to use; all of them when left out
        subtypes: premise subtypes to build; all that the recipe names when left out
        limit: take at most this many pictures; targets shrink to it
        seed: seed of all choices; the recipe's own when left out
        models: which models to ask, and the budget; premises on file alone when none are set
        rebalance: leave out of the release the fewest questions that let labels no longer be told from the text
    """
    request = PremiseRequest(recipe=recipe, sources=sources, subtypes=subtypes, limit=limit, seed=seed, models=models)
    resolved = request.resolve()
    check_premises(resolved)
    check_premise_prompts(resolved)
    tell_overlap(resolved)
    with open_run("build-premise-pairs", resolved.name, resolved, request, retry_failed=models.retry_failed) as run:
        replaced = tell_replaced(run, limit)
        make_questions(run, limit)
        summary = summarise_premises(run, export_release(run, rebalance=rebalance), replaced)
        publish_premises(summary)
    return summary


def make_questions(run: Run, limit: int | None) -> None:
    """The stages up to the members of a build, which consists of this run alone afterwards."""
    sources = run_all_shards(read_source, "sources", source_shards(run.recipe), run)
    choice = choose_samples(unsearched(sources), limit, run)
    check_pool_pictures(unsearched(choice.pool), run)
    parts = [part for source in sources for part in source.parts] + [choice.part]
    plan = PremisePlan(choice.pool, run.recipe)
    with progress_recorded(parts, choice.pool.samples, run):
        for wave in plan.waves():
            for made in run_shards(make_premise_shard, "premises", wave, run):
                plan.record(verified_items(made))
                parts += made.parts
        store_selection(unsearched(plan.select()), run)
        for answered in run_shards(answer_shard, "answers", answer_shards(choice.pool, plan, parts, run), run):
            parts += answered.parts
    record_premises(unsearched(parts), unsearched(choice.pool.samples), plan, run)
