"""A run under a name that is taken: the rows that stand there make room for those of the run. Growth and repetition
are what names are for; anything else is said before the work begins, since two recipes may have one name by
accident, and is refused where people have work in what stands there."""

import logging
from collections.abc import Sequence

from core.errors import ConfigurationError
from core.makers import name_makers, name_panels
from core.recipe import PremisesRecipe, Recipe
from storage.membership import ItemKind
from tasks.review_store import open_reviews
from tasks.runs import Run

_GROWING = ("targets", "premises", "sampling", "models", "export")
_logger = logging.getLogger("flawbench.progress")


def tell_replaced(run: Run) -> str | None:
    """What stands under the name of this run and is not of its kind, also as a warning in the log; None where the run
    repeats the build or makes it larger. Raises ConfigurationError for a build of the other kind, and for one that is
    in review."""
    recipes = run.lineage.recipes(run.build).own
    kind = ItemKind.QUESTION if run.recipe.premises else ItemKind.CANDIDATE
    if recipes and (recipes[0].premises is None) is not (run.recipe.premises is None):
        raise ConfigurationError(
            f"Build {run.build} holds {'premise pairs' if recipes[0].premises else 'flawed questions'}.",
            "Give this recipe another `name`: a build is of one kind.",
        )
    rows = run.lineage.members(run.build, kind)
    differences = find_differences(recipes, run.recipe) if recipes else []
    if not differences:
        return None
    _refuse_in_review(run, differences)
    told = f"{len(rows)} rows ({'; '.join(differences)}); their releases stay"
    _logger.warning(
        "build=%s replaces %s. To keep both, stop this run and give the recipe another `name`.", run.build, told
    )
    return told


def _refuse_in_review(run: Run, differences: Sequence[str]) -> None:
    """From the push on: what was judged since the last pull is known to the server alone."""
    reviews = open_reviews(run.settings)
    if not reviews.projects(run.build):
        return
    dealt = {found.item for found in reviews.assignments(run.build) if not found.control}
    verdicts = sum(found.counts and not found.control for found in reviews.judgements(run.build))
    raise ConfigurationError(
        f"People review build {run.build} ({len(dealt)} rows dealt, {verdicts} verdicts pulled), and this run would "
        f"put other rows in their place ({'; '.join(differences)}): verdicts on rows that leave stay in the lineage, "
        "but neither `flawbench review` nor a release counts them.",
        "Give the recipe another `name`, or repeat what made the build, with at least as many `targets`.",
    )


def find_differences(standing: Sequence[Recipe], new: Recipe) -> list[str]:
    """In words, what the recipes that a build is made from have and a new one does not repeat. The first of them is its
    own, the others were added by `inject`."""
    old, found = standing[0], list[str]()
    before, after, had, has = _describe(old), _describe(new), old.shaping(), new.shaping()
    if before != after:
        found.append(f"made by {before}, now by {after}")
    elif had["models"] != has["models"]:
        found.append(f"made by {before} with other settings")
    changed = [name for name in had if name not in _GROWING and had[name] != has[name]]
    if old.premises and new.premises and _without_targets(old.premises) != _without_targets(new.premises):
        changed.append("premises")
    if changed:
        found.append(f"other {', '.join(changed)}")
    if _wants_fewer(old, new):
        found.append("fewer are wanted now")
    if standing[1:]:
        found.append("some added by `flawbench inject`")
    return found


def _wants_fewer(old: Recipe, new: Recipe) -> bool:
    if old.premises and new.premises:
        wanted = new.premises.targets
        return any(wanted.get(subtype, 0) < count for subtype, count in old.premises.targets.items())
    return any(new.targets.get(subtype, 0) < count for subtype, count in old.targets.items())


def _without_targets(premises: PremisesRecipe) -> PremisesRecipe:
    return premises.model_copy(update={"targets": {}})


def _describe(recipe: Recipe) -> str:
    return f"{name_makers([recipe])}, {name_panels([recipe])}"
