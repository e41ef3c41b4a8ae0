"""Records of a build back out of the lineage file, as they were stored."""

from collections.abc import Iterable
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from core.recipe import Recipe
from core.records import Decision, FlawedSample, Sample, Stage
from storage.database import load_query, named_rows
from storage.membership import ItemKind

RECIPE_KINDS = (ItemKind.RECIPE, ItemKind.ORIGIN)


class BuildRecipes(NamedTuple):
    """`own` are those of the runs whose rows a build holds, that of the last `build` first; `origins` those of the
    build whose rows got a second flaw here. Both are empty for a build that no run has finished."""

    own: tuple[Recipe, ...] = ()
    origins: tuple[Recipe, ...] = ()


def find_candidates(connection: DuckDBPyConnection, build: str) -> list[FlawedSample]:
    """The candidates of a build in its own order."""
    rows = connection.execute(load_query("build_candidates"), {"build": build}).fetchall()
    return [FlawedSample.restore(record, item) for item, record in rows]


def find_filtered_candidates(connection: DuckDBPyConnection, build: str) -> list[FlawedSample]:
    """Those of a build that passed the programmatic filters, by id."""
    rows = connection.execute(load_query("filtered_candidates"), {"build": build}).fetchall()
    return [FlawedSample.restore(record, item) for item, record in rows]


def find_decisions(connection: DuckDBPyConnection, build: str, stage: Stage) -> list[Decision]:
    """Those of a build at one stage, in its own order."""
    executed = connection.execute(load_query("build_decisions"), {"build": build, "stage": stage.value})
    return [Decision(**row) for row in named_rows(executed)]


def find_samples(connection: DuckDBPyConnection, ids: Iterable[str]) -> dict[str, Sample]:
    """By id; ids that are not there are left out."""
    rows = connection.execute(load_query("samples_by_id"), {"ids": sorted(set(ids))}).fetchall()
    return {item: Sample.restore(record, item) for item, record in rows}


def find_recipes(connection: DuckDBPyConnection, build: str) -> BuildRecipes:
    rows = connection.execute(load_query("build_recipes"), {"build": build}).fetchall()
    found = [(ItemKind(kind), Recipe.model_validate_json(record)) for _, kind, record in rows]
    return BuildRecipes(*(tuple(recipe for kind, recipe in found if kind is one) for one in RECIPE_KINDS))


def find_picture_hashes(connection: DuckDBPyConnection) -> dict[str, int]:
    """Perceptual hashes of 64 bits by SHA-256, of all pictures that were read."""
    return dict(connection.execute(load_query("picture_hashes")).fetchall())
