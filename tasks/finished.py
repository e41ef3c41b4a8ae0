"""What a build that is there was made by. Without Prefect, so that a command can refuse an unknown build before it
starts a server."""

import logging
from collections.abc import Sequence

from core.errors import ConfigurationError, ExportError
from core.recipe import Recipe
from core.settings import load_settings
from core.votes import Rule
from storage.lineage import Lineage
from storage.retrieval import BuildRecipes
from tasks.stores import open_lineage

_logger = logging.getLogger("flawbench.progress")


def recipes_of(build: str) -> BuildRecipes:
    """At least one of its own. Raises ExportError."""
    lineage = open_lineage(load_settings())
    recipes = lineage.recipes(build)
    if not recipes.own:
        raise ExportError(f"There is no finished build {build!r}.", f"Name one of: {_names(lineage) or 'none'}.")
    return recipes


def tell_new(build: str, lineage: Lineage) -> None:
    """A build that was named to be joined and is not there, as a warning: its name may be misspelt."""
    names = "" if lineage.recipes(build).own else _names(lineage)
    if names:
        _logger.warning("build=%s is new. Builds that could be joined: %s.", build, names)


def _names(lineage: Lineage) -> str:
    return ", ".join(sorted(summary.build for summary in lineage.builds() if summary.models))


def with_rule(recipes: Sequence[Recipe], rule: Rule) -> list[Recipe]:
    """Those without a panel as they are. Raises ConfigurationError where none has one."""
    if not any(recipe.judging for recipe in recipes):
        raise ConfigurationError(
            f"Recipe {recipes[0].name} has no panel of models, so there are no votes to decide by.",
            "Build it with models that name `panel.validators`.",
        )
    return [_with_rule(recipe, rule) for recipe in recipes]


def _with_rule(recipe: Recipe, rule: Rule) -> Recipe:
    models = recipe.judging
    if models is None:
        return recipe
    panel = models.panel.model_copy(update={"rule": rule})
    return recipe.model_copy(update={"models": models.model_copy(update={"panel": panel})})
