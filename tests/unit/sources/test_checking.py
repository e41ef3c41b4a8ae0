from pathlib import Path

import pytest

from core.errors import ConfigurationError, FlawbenchError, SourceError
from core.recipe import SourceRecipe
from sources.checking import check_sources

COMMIT = "a" * 40


def test_the_starter_set_can_be_opened() -> None:
    check_sources([SourceRecipe(reader="starter")])


@pytest.mark.parametrize(
    ("reader", "location", "error"),
    [
        ("emma", "no/such/folder", SourceError),
        ("emma", "no/commit", ConfigurationError),
        ("emma", "~nobody-of-this-name/set", ConfigurationError),
        ("visual_genome", "no/such/folder", SourceError),
        ("starter", "/", SourceError),
        ("nothing", None, ConfigurationError),
    ],
)
def test_what_is_not_there_is_told(reader: str, location: str | None, error: type[FlawbenchError]) -> None:
    with pytest.raises(error):
        check_sources([SourceRecipe(reader="starter"), SourceRecipe(reader=reader, location=location)])


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "test-00000-of-00001.parquet").write_bytes(b"PAR1 this is no Parquet file PAR1")
    with pytest.raises(SourceError, match="cannot be read"):
        check_sources([SourceRecipe(reader="math_vision", location=str(tmp_path))])


def test_a_source_of_the_hub_is_left_alone() -> None:
    check_sources([SourceRecipe(reader="emma", revision=COMMIT)])


def test_a_folder_of_that_name_is_not_on_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owner" / "set").mkdir(parents=True)
    (tmp_path / "owner" / "set" / "records.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="have no column"):
        check_sources([SourceRecipe(reader="emma", location="owner/set", revision=COMMIT)])
