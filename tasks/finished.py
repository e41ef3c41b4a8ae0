"""What a build that is there was made by. Without Prefect, so that a command can refuse an unknown build before it
starts a server."""

from core.errors import ExportError
from core.settings import load_settings
from storage.retrieval import BuildRecipes
from tasks.stores import open_lineage


def recipes_of(build: str) -> BuildRecipes:
    """At least one of its own. Raises ExportError."""
    lineage = open_lineage(load_settings())
    recipes = lineage.recipes(build)
    if not recipes.own:
        known = ", ".join(summary.build for summary in lineage.builds() if summary.models) or "none"
        raise ExportError(f"There is no finished build {build!r}.", f"Name one of: {known}.")
    return recipes
