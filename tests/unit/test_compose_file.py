"""docker-compose.yml gives its worker what a build needs to ask models, and nobody else."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from annotation.label_studio.server import SERVER_SETTINGS, SERVER_VERSION
from core.model_choice import choose_models
from core.model_specs import PRESETS_FOLDER, load_models
from core.settings import Settings

OTHERS = {"FLAWBENCH_MODELS", "FLAWBENCH_BASE_URL", "FLAWBENCH_MODEL", "FLAWBENCH_API_KEY_VARIABLE"}


@pytest.fixture(scope="module")
def environments(root: Path) -> Mapping[str, Mapping[str, str]]:
    """Of each service, by its name."""
    services = yaml.safe_load((root / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    return {name: service.get("environment", {}) for name, service in services.items()}


def test_the_worker_alone_gets_every_key_variable_of_the_presets(environments: Mapping[str, Mapping[str, str]]) -> None:
    presets = [load_models(path.stem) for path in PRESETS_FOLDER.glob("*.yaml")]
    keys = {spec.key_variable for preset in presets for spec in preset.models.values() if spec.key_variable}
    passed = {name: f"${{{name}:-}}" for name in keys | OTHERS}
    given = {name: value for name, value in environments["worker"].items() if name.endswith("_KEY") or name in OTHERS}
    assert given == passed
    assert not [name for name, found in environments.items() if name != "worker" and found.keys() & passed.keys()]


def test_label_studio_is_the_pinned_one_and_gets_the_settings_of_a_desk(
    environments: Mapping[str, Mapping[str, str]], root: Path
) -> None:
    services = yaml.safe_load((root / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert services["label-studio"]["image"].endswith(f":{SERVER_VERSION}")
    assert environments["label-studio"].items() >= SERVER_SETTINGS.items()
    pictures = environments["label-studio"]["LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT"]
    assert pictures == f"{environments['worker']['FLAWBENCH_DATA']}/objects"
    assert "data:/data:ro" in services["label-studio"]["volumes"]


def test_what_is_not_set_on_the_host_arrives_empty_and_chooses_no_models(
    environments: Mapping[str, Mapping[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = {name: "" for name, value in environments["worker"].items() if value.startswith("$")}
    for name in empty:
        monkeypatch.setenv(name, "")
    assert choose_models(None, (), None, Settings(), empty) is None


@pytest.mark.parametrize("file", [".gitignore", ".dockerignore"])
def test_the_file_that_may_hold_keys_comes_into_no_commit_and_no_image(file: str, root: Path) -> None:
    assert ".env" in (root / file).read_text(encoding="utf-8").splitlines()
