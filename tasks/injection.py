"""Samples to candidates and decisions: one task a shard of one injector and of all filters, since each task run costs
the server as much as some candidates."""

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.recipe import Recipe
from core.records import FlawedSample, Stage
from core.taxonomy import Subtype
from filters.integrity import DECIDED_BY
from storage.rows import candidates_in, decisions_in
from tasks.fan_out import Done
from tasks.judged_shards import judge_by_panel
from tasks.model_identity import panel_identity
from tasks.prompted_shards import inject_by_models
from tasks.runs import Run
from tasks.shards import make_candidates
from tasks.specs import FilterShard, Injecting, PanelShard, PromptShard


@task(name="make-candidates", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def make_shard(shard: FilterShard | PanelShard, run: Run) -> None:
    """Injection, programmatic filters, and the panel where there is one: what is stored already is not done again."""
    filtered = shard.filtered if isinstance(shard, PanelShard) else shard
    injection = filtered.injection
    if isinstance(injection, PromptShard) and not run.parts.exists(Stage.INJECT, injection.key):
        inject_by_models(injection, run)
    if not run.parts.exists(Stage.FILTER, filtered.key):
        run.processes.call(make_candidates, filtered, run.place)
    if isinstance(shard, PanelShard):
        judge_by_panel(shard, run)


def shard_of(injection: Injecting, recipe: Recipe) -> FilterShard | PanelShard:
    """What is to be done with the candidates of an injection shard."""
    filtered = FilterShard(injection=injection, filter_version=DECIDED_BY)
    if recipe.models is None or not recipe.models.panel.validators:
        return filtered
    return PanelShard(filtered=filtered, identity=panel_identity(recipe.models), seed=recipe.seed)


def kept_candidates(done: Done[FilterShard | PanelShard]) -> list[FlawedSample]:
    """In the order of the injection shard."""
    injected, *_, last = done.parts
    kept = {decision.item for decision in decisions_in(last) if decision.keep}
    return [candidate for candidate in candidates_in(injected) if candidate.id in kept]


def subtype_of(shard: FilterShard | PanelShard) -> Subtype:
    return (shard.filtered if isinstance(shard, PanelShard) else shard).injection.subtype
