"""Families that make flaws and judge those of other models too (A31). That is no error, and the paper's own models are
so: none judges what it touched. But a model of such a family under test meets rows of its own making."""

import logging
from collections.abc import Iterable

from core.model_specs import ModelsRecipe, family_key
from core.recipe import Recipe

_logger = logging.getLogger("flawbench.progress")


def tell_overlap(recipe: Recipe) -> None:
    """As a warning in the log, one line."""
    found = find_overlap(recipe.judging) if recipe.judging else {}
    if found:
        _logger.warning(
            "families that make and judge: %s. None judges what it touched; of a model under test, leave out the rows "
            "that its family touched (docs/export-formats.md).",
            ", ".join(f"{family} ({', '.join(roles)})" for family, roles in found.items()),
        )


def find_overlap(models: ModelsRecipe) -> dict[str, tuple[str, ...]]:
    """The roles of each family that both makes and judges, however it is spelled."""
    makes = _roles_by_family(
        models,
        [
            *(("generator", share.model) for share in models.generators),
            ("image_editor", models.image_editor),
            ("rewriter", models.rewriter),
            ("question_writer", models.question_writer),
        ],
    )
    panel = models.panel
    asked = [*(("validator", name) for name in panel.validators), *(("reserve", name) for name in panel.reserve)]
    judges = _roles_by_family(models, asked)
    return {family: (*makes[family], *judges[family]) for family in sorted(makes.keys() & judges.keys())}


def _roles_by_family(models: ModelsRecipe, roles: Iterable[tuple[str, str | None]]) -> dict[str, dict[str, None]]:
    """In their order, each once."""
    found: dict[str, dict[str, None]] = {}
    for role, name in roles:
        if name:
            found.setdefault(family_key(models.models[name].family), {})[role] = None
    return found
