"""What a build that is there was made by. Without Prefect, so that a command can refuse an unknown build before it
starts a server."""

from core.errors import ExportError
from core.settings import load_settings
from storage.lineage import Lineage
from storage.retrieval import BuildRecipes


def recipes_of(build: str) -> BuildRecipes:
    """At least one of its own. Raises ExportError."""
    settings = load_settings()
    lineage = Lineage(settings.lineage_file, settings.lock_timeout_seconds)
    recipes = lineage.recipes(build)
    if not recipes.own:
        known = ", ".join(summary.build for summary in lineage.builds() if summary.models) or "none"
        raise ExportError(f"There is no finished build {build!r}.", f"Name one of: {known}.")
    return recipes
