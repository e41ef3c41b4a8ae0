from datetime import UTC, datetime

from core.recipe import Recipe
from storage.lineage import Lineage
from storage.runs import Outcome, ReleaseInfo, RunInfo

LATER = datetime(2026, 3, 1, 13, 0, tzinfo=UTC)


def test_a_run_is_open_until_it_is_finished(lineage: Lineage, run: RunInfo) -> None:
    run_id = lineage.start_run(run)
    assert lineage.query("SELECT id, outcome, finished FROM runs").rows == [(run_id, None, None)]

    lineage.finish_run(run_id, Outcome.FAILED, LATER)

    assert lineage.query("SELECT outcome, finished, seed FROM runs").rows == [("failed", LATER, 42)]


def test_each_start_of_the_same_flow_is_a_run_of_its_own(lineage: Lineage, run: RunInfo) -> None:
    again = run.model_copy(update={"started": LATER})

    assert len({lineage.start_run(run), lineage.start_run(again), lineage.start_run(run)}) == 2
    assert lineage.query("SELECT count(*) FROM runs").rows == [(2,)]


def test_a_recipe_is_stored_once_and_whole(lineage: Lineage, recipe: Recipe) -> None:
    assert lineage.add_recipe(recipe) == lineage.add_recipe(recipe) == recipe.id

    ((name, record),) = lineage.query("SELECT name, record FROM recipes").rows
    assert name == "small"
    assert Recipe.model_validate_json(str(record)) == recipe


def test_the_same_content_released_again_is_the_same_release(lineage: Lineage, release: ReleaseInfo) -> None:
    again = release.model_copy(update={"run_id": "run_another", "created": LATER})

    assert lineage.add_release(release, ["cnd_a", "cnd_b"]) == lineage.add_release(again, ["cnd_a", "cnd_b"])

    assert lineage.query("SELECT name, rows, run_id FROM releases").rows == [("small-1", 2, release.run_id)]
    assert lineage.query("SELECT candidate FROM release_items ORDER BY candidate").rows == [("cnd_a",), ("cnd_b",)]


def test_another_content_under_the_same_name_is_another_release(lineage: Lineage, release: ReleaseInfo) -> None:
    other = release.model_copy(update={"manifest_sha256": "cd" * 32})

    assert lineage.add_release(release, ["cnd_a"]) != lineage.add_release(other, ["cnd_b"])
