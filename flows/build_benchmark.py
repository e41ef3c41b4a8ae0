"""The main flow: sample, inject, filter, store, funnel, export."""

from typing import Annotated

from prefect import flow

from core.requests import LIMIT, RECIPE, SEED, SOURCES, SUBTYPES, make_request
from core.taxonomy import Subtype
from tasks.artifacts import publish_summary
from tasks.exporting import export_release
from tasks.fan_out import run_shards, task_threads
from tasks.injection import filter_shard_of, inject_and_filter, kept_candidates
from tasks.planning import InjectionPlan
from tasks.pooling import choose_samples
from tasks.reading import read_source, source_shards
from tasks.runs import Run, open_run
from tasks.selection import record_build, select_candidates
from tasks.summaries import BuildSummary, summarise


@flow(name="build-benchmark", flow_run_name="build {recipe}", task_runner=task_threads(), persist_result=False)
def build_benchmark(
    recipe: Annotated[str, RECIPE] = "starter",
    sources: Annotated[tuple[str, ...] | None, SOURCES] = None,
    subtypes: Annotated[tuple[Subtype, ...] | None, SUBTYPES] = None,
    limit: Annotated[int | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
) -> BuildSummary:
    """A benchmark from a recipe. Run again, it does only what is missing. Raises FlawbenchError.

    Args:
        recipe: name of a shipped recipe, or path of a YAML file
        sources: readers of the recipe to use; all of them when left out
        subtypes: subtypes to build; all that the recipe names when left out
        limit: take at most this many questions; targets shrink to it
        seed: seed of all choices; the recipe's own when left out
    """
    request = make_request(recipe, sources, subtypes, limit, seed)
    resolved = request.resolve()
    with open_run("build-benchmark", resolved.name, resolved, request) as run:
        shortfalls = make_candidates(run, limit, replace=True)
        release = export_release(run)
        summary = summarise(run, release, shortfalls)
        publish_summary(summary)
    return summary


def make_candidates(run: Run, limit: int | None, *, replace: bool) -> tuple[str, ...]:
    """The stages up to the members of a build: `replace` makes it consist of this run alone. Returns what the sources
    could not give."""
    sources = list(run_shards(read_source, "sources", source_shards(run.recipe), run))
    pool = choose_samples(sources, limit, run)
    parts = [part for source in sources for part in source.parts] + [pool.part]
    plan = InjectionPlan(pool.part.info.key, pool.samples, pool.hashes, run.recipe)
    for wave in plan.waves():
        for done in run_shards(inject_and_filter, "questions", [filter_shard_of(shard) for shard in wave], run):
            plan.record(done.shard.injection, kept_candidates(done))
            parts += done.parts
    selected = select_candidates(plan, run)
    record_build(parts, pool.samples, selected, replace=replace, run=run)
    return pool.shortfalls
