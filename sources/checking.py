"""Whether the sources of a recipe can be opened at all, told before anything is started for them."""

from collections.abc import Iterable

from core.recipe import SourceRecipe
from sources.opening import is_on_hub, local_path
from sources.registry import reader
from sources.visual_genome import VISUAL_GENOME

_SLOW_TO_BEGIN = VISUAL_GENOME.name
"""Gigabytes of JSON are read before the first row."""


def check_sources(sources: Iterable[SourceRecipe]) -> None:
    """Reads one row of each; a source of the Hub is left alone, since that needs the network.

    Raises ConfigurationError and SourceError."""
    for source in sources:
        found = reader(source.reader)
        location = source.location or found.location
        is_there = local_path(location).exists()
        if (source.reader == _SLOW_TO_BEGIN and is_there) or is_on_hub(location, source.revision):
            continue
        next(found.read(source), None)
