"""What a user can get wrong: two sentences, status 2, and nothing that was there is lost."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from core.recipe import RECIPES_FOLDER

pytestmark = pytest.mark.integration

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def recipe(tmp_path: Path) -> Callable[[str, str], str]:
    """The starter recipe with one text replaced."""

    def write(old: str, new: str) -> str:
        text = (RECIPES_FOLDER / "starter.yaml").read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "recipe.yaml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return str(path)

    return write


def refused(result: "subprocess.CompletedProcess[str]", *wanted: str) -> None:
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    message = result.stderr.strip().splitlines()
    assert message[-2].startswith("flawbench: "), result.stderr
    for text in wanted:
        assert re.search(text, result.stderr), result.stderr


def test_an_unknown_key_is_named(flawbench: Command, recipe: Callable[[str, str], str]) -> None:
    path = recipe("targets:", "tragets: {}\ntargets:")
    refused(flawbench("build", "--recipe", path, check=False), "tragets", re.escape(path))


def test_an_unknown_recipe_lists_the_shipped_ones(flawbench: Command) -> None:
    refused(flawbench("build", "--recipe", "nothing", check=False), "nothing", "starter", "mmpcbench")


def test_more_questions_than_there_are_is_an_error(flawbench: Command, recipe: Callable[[str, str], str]) -> None:
    path = recipe("targets:", "sampling: {total: 5000}\ntargets:")
    refused(flawbench("build", "--recipe", path, check=False), "5000", "sampling.total")


def test_a_missing_folder_is_named(flawbench: Command, recipe: Callable[[str, str], str]) -> None:
    path = recipe("- reader: starter", "- reader: emma\n    location: no/such/folder")
    refused(flawbench("build", "--recipe", path, check=False), "no/such/folder")


def test_a_broken_parquet_file_is_named(flawbench: Command, recipe: Callable[[str, str], str], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "test-00000-of-00001.parquet").write_bytes(b"PAR1 this is no Parquet file PAR1")
    path = recipe("- reader: starter", f"- reader: math_vision\n    location: {folder}")
    refused(flawbench("build", "--recipe", path, check=False), re.escape(str(folder)))


def test_a_newer_schema_is_refused_and_left_alone(flawbench: Command, data: Path) -> None:
    import duckdb

    flawbench("build", "--subtype", "missing_image", "--limit", "5")
    with duckdb.connect(str(data / "lineage.duckdb")) as connection:
        connection.execute("INSERT INTO migrations VALUES (9999, 'future', 'x', current_timestamp)")
    before = (data / "lineage.duckdb").read_bytes()
    refused(flawbench("build", "--limit", "5", check=False), "newer")
    assert (data / "lineage.duckdb").read_bytes() == before


def test_a_lineage_file_held_by_another_process_is_said_and_nothing_is_lost(flawbench: Command, data: Path) -> None:
    import duckdb

    flawbench("build", "--subtype", "missing_image", "--limit", "5")
    with duckdb.connect(str(data / "lineage.duckdb")):
        held = flawbench("build", "--limit", "5", check=False, FLAWBENCH_LOCK_TIMEOUT_SECONDS="1")
        refused(held, "another process", "FLAWBENCH_LOCK_TIMEOUT_SECONDS")
    flawbench("build", "--subtype", "missing_image", "--limit", "5")


def test_a_setting_that_cannot_be_used_is_named(flawbench: Command) -> None:
    refused(flawbench("build", check=False, FLAWBENCH_WORKERS="none"), "FLAWBENCH_WORKERS", "none")
