"""Another rule over the votes that are stored (A8): who passes is decided anew, and no model is asked."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from core.errors import StorageError
from core.recipe import Recipe
from core.records import Decision, FlawedSample, Record, Stage
from core.taxonomy import Subtype
from core.votes import Rule, Vote
from filters.deduplication import make_contender, select
from filters.panel import decide_by_votes, rule_of
from storage.membership import ItemKind
from tasks.members import set_members
from tasks.queues import preference
from tasks.review_changes import ReviewChange, tell_review_change
from tasks.runs import Run
from tasks.selection import store_decisions
from tasks.standing import looks_in


class RuleChange(Record):
    """What another rule did to the rows of a build. `before` are the rules that had decided, several where runs by
    different ones made it; `review` is None where no review is planned."""

    before: tuple[str, ...]
    after: str
    gained: dict[Subtype, int]
    lost: dict[Subtype, int]
    review: ReviewChange | None = None


class _Refiltered(NamedTuple):
    """`judged` are the decisions of the panel under the new rule, `selected` those on what then becomes the build."""

    judged: list[Decision]
    selected: list[Decision]


@task(name="refilter", cache_policy=NO_CACHE)
def refilter(rule: Rule, recipes: Sequence[Recipe], run: Run) -> RuleChange:
    """`recipes` are those of the build, with the rule. Raises StorageError when the build has no votes."""
    candidates = {candidate.id: candidate for candidate in run.lineage.filtered_candidates(run.build)}
    rows = run.lineage.candidates(run.build)
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
    asked = {decision.item for decision in before}
    passed += [row for row in rows if row.id not in asked]  # of a run that had no panel
    known = asked | {row.id for row in rows}
    looks = looks_in(run.build, run)
    unjudged = [make_contender(found, looks) for found in candidates.values() if found.id not in known]
    targets = sum((Counter(recipe.targets) for recipe in recipes), Counter[Subtype]())
    selected = select([make_contender(found, looks) for found in _in_order(passed, run)], targets, unjudged)
    store_decisions([*judged, *selected], run)
    _set_members(before, _Refiltered(judged, selected), run)
    _set_recipes(recipes, run)
    was = {row.id: row.subtype for row in rows}
    now = {decision.item: candidates[decision.item].subtype for decision in selected if decision.keep}
    left, came = was.keys() - now.keys(), now.keys() - was.keys()
    return RuleChange(
        before=tuple(sorted({rule_of(decision) for decision in before if decision.item in votes})),
        after=rule,
        gained=Counter(now[item] for item in came),
        lost=Counter(was[item] for item in left),
        review=tell_review_change(run, left, came),
    )


def _in_order(passed: Sequence[FlawedSample], run: Run) -> list[FlawedSample]:
    """As a build takes them: by subtype, and in each by the order in which its samples went to the injector."""
    pool = [member.item_id for member in run.lineage.members(run.build, ItemKind.SAMPLE)]
    ranks = {
        subtype: {sample: rank for rank, sample in enumerate(preference(pool, subtype, run.recipe))}
        for subtype in Subtype
        if any(candidate.subtype is subtype for candidate in passed)
    }
    order = list(ranks)
    return sorted(passed, key=lambda found: (order.index(found.subtype), ranks[found.subtype][found.parent]))


def _set_recipes(recipes: Sequence[Recipe], run: Run) -> None:
    for recipe in recipes:
        run.lineage.add_recipe(recipe)
    set_members({ItemKind.RECIPE: [(recipe.id, None) for recipe in recipes]}, run, replace=True)


def _set_members(before: list[Decision], after: _Refiltered, run: Run) -> None:
    replaced = {decision.id for decision in [*before, *run.lineage.decisions(run.build, Stage.SELECT)]}
    kept = [member for member in run.lineage.members(run.build, ItemKind.DECISION) if member.item_id not in replaced]
    decided = [(member.item_id, member.subtype) for member in kept]
    decided += [(decision.id, decision.subtype) for decision in [*after.judged, *after.selected]]
    members = {
        ItemKind.DECISION: decided,
        ItemKind.CANDIDATE: [(decision.item, decision.subtype) for decision in after.selected if decision.keep],
    }
    set_members(members, run, replace=True)
