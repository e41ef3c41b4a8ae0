"""Samples with two flaws (M-47) out of the candidates that a build kept, as a build of their own."""

from typing import Annotated

from prefect import flow

from core.requests import DEFAULT_MODELS, MODELS, ModelChoice
from core.taxonomy import DUAL_KINDS
from storage.membership import ItemKind
from tasks.artifacts import publish_summary
from tasks.combining import dual_recipe, dual_shards, make_dual_shard, record_origins, select_duals
from tasks.exporting import export_release
from tasks.fan_out import run_all_shards, task_threads
from tasks.finished import recipes_of
from tasks.handing import unsearched
from tasks.prompt_check import check_prompts
from tasks.replacing import tell_replaced
from tasks.runs import open_run
from tasks.selection import record_build
from tasks.summaries import BuildSummary, summarise


@flow(name="combine-benchmark", flow_run_name="combine {build}", task_runner=task_threads(), persist_result=False)
def combine_benchmark(build: str, models: Annotated[ModelChoice, MODELS] = DEFAULT_MODELS) -> BuildSummary:
    """Makes the build BUILD-dual. Raises ConfigurationError when the build has no candidate to start from.

    Args:
        build: name of the build whose candidates get a second flaw
        models: which models to ask; those of the build when left out
    """
    of_build = recipes_of(build).own[0]
    recipe = dual_recipe(of_build.model_copy(update={"models": models.resolve(of_build.models)}))
    check_prompts(recipe, {kind.second for kind in DUAL_KINDS.values()})
    with open_run("combine-benchmark", recipe.name, recipe, None, retry_failed=models.retry_failed) as run:
        replaced = tell_replaced(run)
        done = run_all_shards(make_dual_shard, "two flaws", dual_shards(build, run), run)
        parts = [part for found in done for part in found.parts]
        selected = select_duals(build, unsearched(parts), run)
        pool = run.lineage.samples(member.item_id for member in run.lineage.members(build, ItemKind.SAMPLE))
        record_build(unsearched(parts), unsearched(list(pool.values())), unsearched(selected), replace=True, run=run)
        record_origins(build, run)
        summary = summarise(run, export_release(run), replaced=replaced)
        publish_summary(summary, run)
    return summary
