"""A run under a name that is taken: the rows that stand there make room for those of the run. Growth and repetition
are what names are for; anything else is said before the work begins, since two recipes may have one name by
accident."""

import logging
from collections.abc import Sequence

from core.makers import name_makers, name_panels
from core.recipe import Recipe
from storage.membership import ItemKind
from tasks.runs import Run

_GROWING = ("targets", "sampling", "models", "export")
_logger = logging.getLogger("flawbench.progress")


def tell_replaced(run: Run) -> str | None:
    """What stands under the name of this run and is not of its kind, also as a warning in the log; None where the run
    repeats the build or makes it larger."""
    recipes, rows = run.lineage.recipes(run.build).own, run.lineage.members(run.build, ItemKind.CANDIDATE)
    differences = find_differences(recipes, run.recipe) if recipes else []
    if not differences:
        return None
    told = f"{len(rows)} rows ({'; '.join(differences)}); their releases stay"
    _logger.warning(
        "build=%s replaces %s. To keep both, stop this run and give the recipe another `name`.", run.build, told
    )
    return told


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
    if changed:
        found.append(f"other {', '.join(changed)}")
    if any(new.targets.get(subtype, 0) < count for subtype, count in old.targets.items()):
        found.append("fewer are wanted now")
    if standing[1:]:
        found.append("some added by `flawbench inject`")
    return found


def _describe(recipe: Recipe) -> str:
    return f"{name_makers([recipe])}, {name_panels([recipe])}"
