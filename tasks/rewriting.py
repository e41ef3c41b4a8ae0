"""The pool in other words, where the recipe names a rewriter (M-7): a task for each shard, then one part of all."""

from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.identity import content_hash
from core.records import Stage
from storage.parts import Part
from storage.rows import sample_rows, samples_in
from tasks.fan_out import Done
from tasks.model_identity import rewriting_identity
from tasks.pools import Pool
from tasks.prompted_shards import rewrite_by_model
from tasks.runs import Run
from tasks.shards import PartFacts, new_part
from tasks.specs import PartName, RewriteShard, cut


@task(name="rewrite", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def rewrite(shard: RewriteShard, run: Run) -> None:
    rewrite_by_model(shard, run)


def rewrite_shards(pool: Pool, run: Run) -> list[RewriteShard]:
    """None where the recipe names no rewriter."""
    models = run.recipe.models
    if models is None or models.rewriter is None:
        return []
    return [
        RewriteShard(
            pool=pool.name,
            samples=tuple(part),
            identity=rewriting_identity(models),
            seed=run.recipe.seed,
        )
        for part in cut(sorted(sample.id for sample in pool.samples))
    ]


class Rewritten(NamedTuple):
    pool: Pool
    part: Part


@task(name="gather-rewritten", cache_policy=NO_CACHE)
def gather_rewritten(pool: Pool, done: list[Done[RewriteShard]], run: Run) -> Rewritten:
    """A question that the model could not rewrite stays as its source has it; the decision on it says why."""
    made = {sample.rewritten_from: sample for found in done for sample in samples_in(found.parts[0])}
    samples = [made.get(sample.id, sample) for sample in pool.samples]
    key = content_hash([Stage.REWRITE, [sample.id for sample in samples]])
    name = PartName(Stage.REWRITE, key)
    if not run.parts.exists(*name):
        with new_part(PartFacts(key, Stage.REWRITE, {}, seed=run.recipe.seed), run.place) as rows:
            for sample in samples:
                rows += sample_rows(sample, [(shown.sha256, pool.hashes[shown.sha256]) for shown in sample.pictures])
    run.ingest_stored([name])
    return Rewritten(Pool(name, tuple(samples), pool.hashes), run.parts.read(*name))
