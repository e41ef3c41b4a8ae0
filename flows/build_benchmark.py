"""The main flow: sample, inject, filter, store, funnel, export."""

from collections import Counter
from typing import Annotated, NamedTuple

from prefect import flow

from core.requests import DEFAULT_MODELS, LIMIT, MODELS, RECIPE, SEED, SOURCES, SUBTYPES, ModelChoice, make_request
from core.taxonomy import Subtype
from storage.parts import Part
from tasks.artifacts import publish_summary
from tasks.exporting import export_release
from tasks.family_overlap import tell_overlap
from tasks.fan_out import run_all_shards, run_shards, task_threads
from tasks.handing import unsearched
from tasks.injection import filter_shard_of, filtered_candidates, judge_shard, make_shard, passed_candidates
from tasks.panel_check import check_panel
from tasks.picture_check import check_pool_pictures
from tasks.planning import InjectionPlan
from tasks.pooling import choose_samples
from tasks.pools import NOTHING, Pool
from tasks.prompt_check import check_prompts
from tasks.reading import read_source, source_shards
from tasks.replacing import tell_replaced
from tasks.rewriting import gather_rewritten, rewrite, rewrite_shards
from tasks.runs import Run, open_run
from tasks.selection import progress_recorded, record_build, select_candidates
from tasks.standing import read_standing
from tasks.summaries import BuildSummary, summarise
from tasks.twins import judge_twin_shard, twin_shards


@flow(name="build-benchmark", flow_run_name="build {recipe}", task_runner=task_threads(), persist_result=False)
def build_benchmark(
    recipe: Annotated[str, RECIPE] = "starter",
    sources: Annotated[tuple[str, ...] | None, SOURCES] = None,
    subtypes: Annotated[tuple[Subtype, ...] | None, SUBTYPES] = None,
    limit: Annotated[int | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
    models: Annotated[ModelChoice, MODELS] = DEFAULT_MODELS,
) -> BuildSummary:
    """A benchmark from a recipe. Run again, it does only what is missing. Raises FlawbenchError.

    Args:
        recipe: name of a shipped recipe, or path of a YAML file
        sources: readers of the recipe to use; all of them when left out
        subtypes: subtypes to build; all that the recipe names when left out
        limit: take at most this many questions; targets shrink to it
        seed: seed of all choices; the recipe's own when left out
        models: which models to ask, and the budget; rules alone when none are set
    """
    request = make_request(recipe, sources, subtypes, limit, seed, models)
    resolved = request.resolve()
    check_panel(resolved)
    check_prompts(resolved)
    tell_overlap(resolved)
    with open_run("build-benchmark", resolved.name, resolved, request, retry_failed=models.retry_failed) as run:
        replaced = tell_replaced(run, limit)
        made = make_candidates(run, limit, replace=True)
        release = export_release(run)
        summary = summarise(run, release, made.shortfalls, replaced=replaced)
        publish_summary(summary, run)
    return summary


class Made(NamedTuple):
    """`shortfalls`: what the sources could not give. `kept`: rows that this run selected for the build, of each subtype
    that it wants."""

    shortfalls: tuple[str, ...]
    kept: dict[Subtype, int]


def make_candidates(run: Run, limit: int | None, *, replace: bool) -> Made:
    """The stages up to the members of a build: `replace` makes it consist of this run alone."""
    sources = run_all_shards(read_source, "sources", source_shards(run.recipe), run)
    standing = NOTHING if replace else read_standing(run)
    parts = [part for source in sources for part in source.parts]
    with progress_recorded(parts, (), run):
        choice = choose_samples(unsearched(sources), limit, run, unsearched(standing))
    parts.append(choice.part)
    check_pool_pictures(unsearched(choice.pool), run)
    pool, rewritten = rewrite_pool(choice.pool, run)
    parts += rewritten
    plan = InjectionPlan(pool, run.recipe, standing)
    with progress_recorded(parts, pool.samples, run):
        for wave in plan.waves():
            for made in run_shards(make_shard, "injections", [filter_shard_of(shard) for shard in wave], run):
                plan.record(made.shard.injection, filtered_candidates(made))
                parts += made.parts
            for panel in plan.panels():
                for judged in run_shards(judge_shard, "panel", panel, run):
                    plan.record_judged(judged.shard, passed_candidates(judged))
                    parts += judged.parts
        selected = select_candidates(plan, run)
        for twins in run_shards(judge_twin_shard, "twins", twin_shards(pool, plan.selected(), run), run):
            parts += twins.parts
    record_build(unsearched(parts), unsearched(pool.samples), unsearched(selected), replace=replace, run=run)
    counts = Counter(candidate.subtype for candidate in plan.selected())
    return Made(choice.shortfalls, {subtype: counts[subtype] for subtype in run.recipe.targets})


def rewrite_pool(pool: Pool, run: Run) -> tuple[Pool, list[Part]]:
    """The pool in other words, and the parts that say so; as it is where the recipe names no rewriter."""
    shards = rewrite_shards(pool, run)
    if not shards:
        return pool, []
    done = run_all_shards(rewrite, "rewriting", shards, run)
    rewritten = gather_rewritten(unsearched(pool), unsearched(done), run)
    return rewritten.pool, [part for found in done for part in found.parts]
