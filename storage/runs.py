"""Who did what when: recipes, runs of flows, and the releases that came of them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from duckdb import DuckDBPyConnection
from pydantic import AwareDatetime, Field

from core.identity import canonical_json, make_id
from core.recipe import Recipe
from core.records import Record
from storage.database import load_query


class Outcome(StrEnum):
    """How a run ended; a run that was killed has none."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RunInfo(Record):
    """One start of a flow. `parameters` is canonical JSON; `code_commit` is the commit that ran."""

    build: str
    flow: str
    recipe_id: str
    code_commit: str
    seed: int = Field(ge=0)
    parameters: str
    started: AwareDatetime

    @property
    def id(self) -> str:
        return make_id("run", self.model_dump(mode="json"))


class ReleaseInfo(Record):
    """A named, frozen list of rows; `manifest_sha256` is the hash of its manifest. The id does not depend on who made
    it when: the same content exported again is the same release."""

    name: str
    build: str
    recipe_id: str
    run_id: str
    code_commit: str
    manifest_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    created: AwareDatetime

    @property
    def id(self) -> str:
        return make_id("rel", [self.name, self.build, self.recipe_id, self.manifest_sha256])


def store_recipe(connection: DuckDBPyConnection, recipe: Recipe) -> str:
    connection.execute(
        "INSERT OR IGNORE INTO recipes VALUES (?, ?, ?, ?)",
        [recipe.id, recipe.name, recipe.seed, canonical_json(recipe)],
    )
    return recipe.id


def store_run(connection: DuckDBPyConnection, run: RunInfo) -> str:
    connection.execute(load_query("add_run"), {"id": run.id, **run.model_dump()})
    return run.id


def end_run(connection: DuckDBPyConnection, run_id: str, outcome: Outcome, finished: datetime) -> None:
    connection.execute("UPDATE runs SET outcome = ?, finished = ? WHERE id = ?", [outcome.value, finished, run_id])


def store_release(connection: DuckDBPyConnection, release: ReleaseInfo, items: Sequence[str]) -> None:
    columns = {"id": release.id, "rows": len(items), **release.model_dump()}
    added = connection.execute(load_query("add_release"), columns).fetchall()
    if added:
        edges = {"id": release.id, "items": list(items)}
        connection.execute(load_query("add_release_items"), edges)
