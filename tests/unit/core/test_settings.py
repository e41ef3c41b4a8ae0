from pathlib import Path

import pytest

from core.errors import ConfigurationError
from core.settings import load_settings


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "OBJECTS", "WORKERS", "LOCK_TIMEOUT_SECONDS"):
        monkeypatch.delenv(f"FLAWBENCH_{name}", raising=False)


def test_empty_environment_uses_a_data_folder_here() -> None:
    settings = load_settings()
    assert settings.lineage_file == Path("data/lineage.duckdb")
    assert settings.objects_url == str(Path("data/objects"))
    assert settings.releases == Path("data/releases")
    assert settings.workers >= 1


def test_everything_moves_with_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLAWBENCH_DATA", str(tmp_path))
    settings = load_settings()
    assert settings.lineage_file.parent == settings.releases.parent == Path(settings.objects_url).parent == tmp_path


def test_objects_may_lie_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_OBJECTS", "s3://bucket/flaws")
    assert load_settings().objects_url == "s3://bucket/flaws"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("FLAWBENCH_WORKERS", "0", id="too few"),
        pytest.param("FLAWBENCH_WORKERS", "many", id="no number"),
        pytest.param("FLAWBENCH_LOCK_TIMEOUT_SECONDS", "-1", id="below zero"),
        pytest.param("FLAWBENCH_LOCK_TIMEOUT_SECONDS", "soon", id="no duration"),
    ],
)
def test_unusable_value_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert caught.value.message.startswith(f"{name} cannot be used")
    assert f"(seen: '{value}')" in caught.value.message
    assert f"Set {name}" in caught.value.fix


def test_foreign_variables_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_SHARED", "/somewhere")
    assert load_settings().data == Path("data")


@pytest.mark.parametrize("value", ["inf", "1e20", "-1"])
def test_a_time_that_nobody_waits_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_LOCK_TIMEOUT_SECONDS", value)
    with pytest.raises(ConfigurationError, match="FLAWBENCH_LOCK_TIMEOUT_SECONDS"):
        load_settings()


def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FLAWBENCH_DATA", str(tmp_path / "file"))
    with pytest.raises(ConfigurationError, match="no folder"):
        load_settings()


@pytest.mark.parametrize(
    "url",
    [
        *("memory://x", "http://127.0.0.1/x", "DATA://x", "hf://x/y", "jupyter://x", "generic://x", "ftp://x/y"),
        *("zip://a::s3://b", "simplecache::memory://x", "dir::memory://x", "memory::x", "simplecache::s3://b/x"),
        *("s3://", "s3:///x", "s3://b/x?versionId=1", "gs://b#x"),
    ],
)
def test_a_store_that_processes_cannot_share_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_OBJECTS", url)
    with pytest.raises(ConfigurationError, match=r"FLAWBENCH_OBJECTS is .* Set it to a folder or to a bucket"):
        load_settings()


@pytest.mark.parametrize(
    "url",
    [
        *("s3://KEY:seCret@b/x", "s3://KEY:seCret/x+y@b/x", "s3://seCret@b", "gs://seCret@b", "abfs://a:seCret@b/x"),
        *("ftp://u:seCret@b/x", "simplecache::s3://KEY:seCret@b/x", "s3://b/x?secret=seCret", "u:seCret://b"),
    ],
)
def test_a_secret_in_a_store_is_refused_and_not_repeated(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_OBJECTS", url)
    with pytest.raises(ConfigurationError, match="FLAWBENCH_OBJECTS") as caught:
        load_settings()
    assert "seCret" not in str(caught.value)


def test_a_data_folder_that_fsspec_would_cut_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLAWBENCH_DATA", f"{tmp_path}/a::b")
    with pytest.raises(ConfigurationError, match="FLAWBENCH_DATA is no usable place"):
        load_settings()


@pytest.mark.parametrize(
    "url",
    [
        "s3://bucket/memory",
        "s3://b/a@b:c",
        "memory",
        "data/zip",
        "gs://b",
        "az://b/x",
        "abfs://b@account/x",
        "file:///x",
    ],
)
def test_folders_and_buckets_are_stores(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAWBENCH_OBJECTS", url)
    assert load_settings().objects_url == url
