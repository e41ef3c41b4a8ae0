"""What a user can get wrong: two sentences, status 2, and nothing that was there is lost."""

import json
import re
import resource
import shutil
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


def test_an_unknown_key_is_named(command: Command, recipe: Callable[[str, str], str], data: Path) -> None:
    path = recipe("targets:", "tragets: {}\ntargets:")
    refused(command("build", "--recipe", path, check=False, data=data), "tragets", re.escape(path))


def test_an_unknown_recipe_lists_the_shipped_ones(command: Command, data: Path) -> None:
    refused(command("build", "--recipe", "nothing", check=False, data=data), "nothing", "starter", "mmpcbench")


def test_more_questions_than_there_are_is_an_error(
    command: Command, recipe: Callable[[str, str], str], data: Path
) -> None:
    path = recipe("targets:", "sampling: {total: 5000}\ntargets:")
    refused(command("build", "--recipe", path, check=False, data=data), "5000", "sampling.total")


def test_more_candidates_than_questions_is_an_error(
    command: Command, recipe: Callable[[str, str], str], data: Path
) -> None:
    path = recipe("targets:", "sampling: {total: 3}\ntargets:")
    wanted = ("asks for 12 ambiguity candidates but takes only 3 questions", r"targets\.ambiguity")
    refused(command("build", "--recipe", path, "--subtype", "ambiguity", check=False, data=data), *wanted)


def test_a_refused_build_says_and_lists_the_rows_that_cannot_be_used(
    command: Command, answer: Callable[..., str], recipe: Callable[[str, str], str], data: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.png").write_bytes(b"this is no picture")
    rows = [{"id": "a", "question": "Which lamp is lit? <image 1>", "image": "bad.png"}]
    rows += [{"id": "b", "question": "A train covers 120 km in 2 hours. Find its mean speed.", "image": None}]
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    mapping = "{id: id, query: question, pictures: [image], subject: =physics, licence: =cc0-1.0}"
    path = recipe("- reader: starter", f"- reader: mapped\n    location: {tmp_path}/rows.jsonl\n    mapping: {mapping}")

    told = command("build", "--recipe", path, "--subtype", "ambiguity", check=False, data=data)

    refused(told, "takes only 1 question ", "rows set aside: not_a_picture 1")
    (row,) = json.loads(answer("quarantine", "--json", data=data))
    assert (row["source_id"], row["reason"]) == ("a", "not_a_picture")


def test_a_missing_folder_is_named(command: Command, recipe: Callable[[str, str], str], data: Path) -> None:
    path = recipe("- reader: starter", "- reader: emma\n    location: no/such/folder")
    refused(command("build", "--recipe", path, check=False, data=data), "no/such/folder")


def test_a_broken_parquet_file_is_named(
    command: Command, recipe: Callable[[str, str], str], data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "test-00000-of-00001.parquet").write_bytes(b"PAR1 this is no Parquet file PAR1")
    path = recipe("- reader: starter", f"- reader: math_vision\n    location: {folder}")
    refused(command("build", "--recipe", path, check=False, data=data), re.escape(str(folder)))


def test_a_newer_schema_is_refused_and_left_alone(starter: Path, command: Command, data: Path) -> None:
    import duckdb

    shutil.copytree(starter, data)
    with duckdb.connect(str(data / "lineage.duckdb")) as connection:
        connection.execute("INSERT INTO migrations VALUES (9999, 'future', 'x', current_timestamp)")
    before = (data / "lineage.duckdb").read_bytes()
    refused(command("build", "--limit", "5", check=False, data=data), "newer")
    assert (data / "lineage.duckdb").read_bytes() == before


def test_a_lineage_file_held_by_another_process_is_said_and_nothing_is_lost(
    starter: Path, command: Command, contents: Callable[[Path], object], data: Path
) -> None:
    import duckdb

    shutil.copytree(starter, data)
    with duckdb.connect(str(data / "lineage.duckdb")):
        held = command("build", "--limit", "5", check=False, data=data, FLAWBENCH_LOCK_TIMEOUT_SECONDS="0.2")
        refused(held, "another process", "FLAWBENCH_LOCK_TIMEOUT_SECONDS")
    assert contents(data) == contents(starter)


def test_a_disk_that_is_full_is_said_and_the_next_run_goes_on(
    spawn: Callable[..., "subprocess.Popen[str]"], goes_on: Callable[[Path], None], data: Path
) -> None:
    """A limit on the size of files stands for the disk: the lineage file outgrows it."""
    build = spawn("build", data=data)
    resource.prlimit(build.pid, resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
    output, errors = build.communicate(timeout=300)
    full = subprocess.CompletedProcess("build", build.returncode, output, errors)
    refused(full, "File too large|No space")
    goes_on(data)
