"""Who made and judged a build, in the few words that fit into a table."""

from collections.abc import Iterable

from core.recipe import Recipe

RULES = "rules"
NO_PANEL = "no panel"


def name_makers(recipes: Iterable[Recipe]) -> str:
    """The files of models with the generators in them, or `rules`; each once."""
    return ", ".join(dict.fromkeys(map(_name_makers, recipes)))


def name_panels(recipes: Iterable[Recipe]) -> str:
    """The rules by which votes were counted, such as `panel all`, or `no panel`; each once."""
    return ", ".join(dict.fromkeys(map(_name_panel, recipes)))


def _name_makers(recipe: Recipe) -> str:
    if recipe.models is None:
        return RULES
    names = dict.fromkeys(recipe.models.models[share.model].name for share in recipe.models.generators)
    return f"{recipe.models.name} ({', '.join(names)})"


def _name_panel(recipe: Recipe) -> str:
    panel = recipe.models.panel if recipe.models else None
    return f"panel {panel.rule}" if panel and panel.validators else NO_PANEL
