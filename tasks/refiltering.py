"""Another rule over the votes that are stored (A8): who passes is decided anew, and no model is asked."""

from collections import defaultdict
from typing import Literal, NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import ConfigurationError, StorageError
from core.recipe import Recipe
from core.records import Decision, FlawedSample, Stage, Vote
from core.taxonomy import Subtype
from filters.deduplication import make_contender, select
from filters.panel import decide_by_votes
from storage.membership import ItemKind, Member
from tasks.queues import preference
from tasks.runs import Run
from tasks.selection import store_decisions

Rule = Literal["all", "any", "majority"]


class Refiltered(NamedTuple):
    """`judged` are the decisions of the panel under the new rule, `selected` those on what then becomes the build."""

    judged: list[Decision]
    selected: list[Decision]


def with_rule(recipe: Recipe, rule: Rule) -> Recipe:
    """Raises ConfigurationError for a recipe without a panel."""
    models = recipe.models
    if models is None or not models.panel.validators:
        raise ConfigurationError(
            f"Recipe {recipe.name} has no panel of models, so there are no votes to decide by.",
            "Build it with models that name `panel.validators`.",
        )
    panel = models.panel.model_copy(update={"rule": rule})
    return recipe.model_copy(update={"models": models.model_copy(update={"panel": panel})})


@task(name="refilter", cache_policy=NO_CACHE)
def refilter(rule: Rule, run: Run) -> Refiltered:
    """Raises StorageError when the build has no votes."""
    candidates = {candidate.id: candidate for candidate in run.lineage.filtered_candidates(run.build)}
    votes: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in run.lineage.votes(run.build):
        votes[vote.item].append(vote)
    if not votes:
        raise StorageError(f"Build {run.build} has no votes of a panel.", "Build it with models that name a panel.")
    before = run.lineage.decisions(run.build, Stage.PANEL)
    # What was dropped before the vote (solved blind, no validator left) has none and stays as it was decided.
    judged = [
        decide_by_votes(candidates[old.item], votes[old.item], rule) if old.item in votes else old for old in before
    ]
    passed = [candidates[decision.item] for decision in judged if decision.keep]
    selected = select([make_contender(candidate) for candidate in _in_order(passed, run)], run.recipe.targets)
    store_decisions([*judged, *selected], run)
    _set_members(before, Refiltered(judged, selected), run)
    return Refiltered(judged, selected)


def _in_order(passed: list[FlawedSample], run: Run) -> list[FlawedSample]:
    """As a build takes them: by subtype, and in each by the order in which its samples went to the injector."""
    pool = [member.item_id for member in run.lineage.members(run.build, ItemKind.SAMPLE)]
    ranks = {
        subtype: {sample: rank for rank, sample in enumerate(preference(pool, subtype, run.recipe))}
        for subtype in Subtype
        if run.recipe.targets.get(subtype)
    }
    wanted = [candidate for candidate in passed if candidate.subtype in ranks]
    order = list(ranks)
    return sorted(wanted, key=lambda found: (order.index(found.subtype), ranks[found.subtype][found.parent]))


def _set_members(before: list[Decision], after: Refiltered, run: Run) -> None:
    replaced = {decision.id for decision in [*before, *run.lineage.decisions(run.build, Stage.SELECT)]}
    kept = [member for member in run.lineage.members(run.build, ItemKind.DECISION) if member.item_id not in replaced]
    decided = [(member.item_id, member.subtype) for member in kept]
    decided += [(decision.id, decision.subtype) for decision in [*after.judged, *after.selected]]
    members = {
        ItemKind.DECISION: decided,
        ItemKind.CANDIDATE: [(decision.item, decision.subtype) for decision in after.selected if decision.keep],
    }
    for kind, items in members.items():
        ranked = [Member(item, subtype, rank) for rank, (item, subtype) in enumerate(items)]
        run.lineage.set_members(run.build, kind, ranked, replace=True)
