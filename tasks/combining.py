"""Which kept candidates get a second flaw, and the build that comes of it."""

from collections.abc import Iterator, Mapping, Sequence

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ConfigurationError
from core.identity import content_hash
from core.recipe import Recipe
from core.records import Decision, FlawedSample, Sample, Stage
from core.seeding import ordered
from core.taxonomy import DUAL_KINDS, Subtype
from filters.deduplication import make_contender, select
from filters.integrity import DECIDED_BY
from injectors.mismatch import assign_donors
from injectors.registry import INJECTORS, PROMPT_INJECTORS
from storage.membership import ItemKind
from storage.parts import Part
from storage.rows import candidates_in, decisions_in
from tasks.dual_shards import make_duals
from tasks.members import set_members
from tasks.model_identity import asks_models, injection_identity, panel_identity
from tasks.queues import apportion
from tasks.runs import Run
from tasks.selection import store_decisions
from tasks.specs import DualShard, cut
from tasks.standing import looks_in


@task(name="make-duals", task_run_name="{shard.name}", cache_policy=NO_CACHE)
def make_dual_shard(shard: DualShard, run: Run) -> None:
    make_duals(shard, run)


def dual_recipe(recipe: Recipe) -> Recipe:
    """Of the build that holds the samples with two flaws: as many of each kind as the paper has."""
    targets: dict[Subtype, int] = {}
    for kind in DUAL_KINDS.values():
        firsts = [subtype for subtype in Subtype if subtype in kind.first]
        targets |= dict(zip(firsts, apportion(kind.paper_count, [1 / len(firsts)] * len(firsts)), strict=True))
    return recipe.model_copy(update={"name": f"{recipe.name[:59]}-dual", "targets": targets})


def dual_shards(build: str, run: Run) -> list[DualShard]:
    """Of every kind all kept candidates that could be its first flaw, in a seeded order. Raises ConfigurationError when
    the build has none."""
    members = run.lineage.members(build, ItemKind.SAMPLE)
    samples = list(run.lineage.samples(member.item_id for member in members).values())
    shards = plan_duals(build, run.lineage.candidates(build), samples, run.lineage.picture_hashes(), run.recipe)
    if not shards:
        raise ConfigurationError(
            f"Build {build} has no candidate that could get a second flaw.",
            f"Build some of: {', '.join(sorted({first for kind in DUAL_KINDS.values() for first in kind.first}))}.",
        )
    return shards


def plan_duals(
    build: str, candidates: Sequence[FlawedSample], samples: Sequence[Sample], hashes: Mapping[str, int], recipe: Recipe
) -> list[DualShard]:
    """`samples` are those of the build, `hashes` the perceptual hashes of their pictures by sha256."""
    shards: list[DualShard] = []
    for kind in DUAL_KINDS:
        parents = {found.parent for found in candidates if found.subtype in DUAL_KINDS[kind].first}
        takers = [sample for sample in samples if sample.id in parents]
        assigned = assign_donors(takers, samples, hashes, recipe.seed, kind)
        donors = {taker: giver.id for taker, giver in assigned.items()}
        shards += _shards_of(kind, build, candidates, donors, recipe)
    return shards


def record_origins(build: str, run: Run) -> None:
    """What comes from the build that was combined: the recipes of the first flaws, and what its validators said of the
    unmodified questions."""
    recipes = run.lineage.recipes(build)
    origins = [(recipe.id, None) for recipe in (*recipes.own, *recipes.origins)]
    set_members({ItemKind.ORIGIN: origins}, run, replace=True)
    parents = {candidate.parent for candidate in run.lineage.candidates(run.build)}
    twins = [(found.id, None) for found in run.lineage.decisions(build, Stage.TWIN) if found.item in parents]
    set_members({ItemKind.DECISION: twins}, run, replace=False)


def _shards_of(
    kind: str, build: str, candidates: Sequence[FlawedSample], donors: Mapping[str, str], recipe: Recipe
) -> Iterator[DualShard]:
    second, models = DUAL_KINDS[kind].second, recipe.models
    usable = [candidate for candidate in candidates if candidate.subtype in DUAL_KINDS[kind].first]
    order = ordered(usable, recipe.seed, kind, lambda found: found.parent)
    asks = models is not None and asks_models(second, models)
    generators = {share.model: share.share for share in models.generators} if asks and models else {"": 1.0}
    counts = apportion(len(order), list(generators.values()))
    start = 0
    for generator, count in zip(generators, counts, strict=True):
        for part in cut(order[start : start + count]):
            yield DualShard(
                kind=kind,
                build=build,
                firsts=tuple(first.id for first in part),
                donors=tuple(donors.get(first.parent, "") for first in part) if second is Subtype.MISMATCH else (),
                injector_version=(PROMPT_INJECTORS if asks else INJECTORS)[second].version,
                generator=generator,
                identity=_dual_identity(second, generator, recipe),
                seed=recipe.seed,
            )
        start += count


def _dual_identity(second: Subtype, generator: str, recipe: Recipe) -> str:
    makes = injection_identity(recipe.models, generator, second) if recipe.models and generator else ""
    judges = panel_identity(recipe.judging) if recipe.judging else ""
    remade_by = INJECTORS[Subtype.MISSING_INSTRUCTION].version
    return content_hash([makes, judges, DECIDED_BY, recipe.degradation.shaping(), remade_by])


@task(name="select-duals", cache_policy=NO_CACHE)
def select_duals(build: str, parts: Sequence[Part], run: Run) -> Sequence[Decision]:
    """`build` is what was combined. No input twice, of every source question one of a kind, and no more than the recipe
    wants; a decision at SELECT on each that passed, in the order of the parts."""
    last = Stage.PANEL if run.recipe.judging else Stage.FILTER
    kept = {found.item for part in parts for found in decisions_in(part) if found.stage is last and found.keep}
    passed = {found.id: found for part in parts for found in candidates_in(part) if found.id in kept}
    looks = looks_in(build, run)
    contenders = [make_contender(candidate, looks) for candidate in passed.values()]
    return store_decisions(select(contenders, run.recipe.targets), run)
