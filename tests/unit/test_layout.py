"""The folders are the import packages, so a careless name or dependency could hide one of them."""

import importlib.util
import re
import sys
from collections.abc import Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from core.taxonomy import Subtype

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
FLOW_MODULES = sorted(path.stem for path in (ROOT / "flows").glob("*.py") if path.stem != "__init__")


def test_there_are_packages_and_flows_to_check() -> None:
    assert {"core", "flows", "tasks"} <= set(PACKAGES)
    assert "build_benchmark" in FLOW_MODULES


@pytest.mark.parametrize("package", PACKAGES)
def test_package_resolves_to_this_repository(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).resolve() == ROOT / package / "__init__.py"


@pytest.fixture(scope="module")
def installed() -> Mapping[str, list[str]]:
    """All that can be imported from the environment; finding it out reads the file list of every distribution."""
    return packages_distributions()


@pytest.mark.parametrize("module", FLOW_MODULES)
def test_flow_module_hides_nothing_when_loaded_by_its_bare_name(
    module: str, installed: Mapping[str, list[str]]
) -> None:
    assert module not in PACKAGES
    assert module not in sys.stdlib_module_names
    assert module not in installed


@pytest.mark.parametrize("package", PACKAGES)
def test_import_rules_name_every_package(package: str) -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"{package}"' in settings.split("root_packages = ")[1].splitlines()[0]
    assert re.search(rf'"[^"]*\b{package}\b[^"]*"', settings.split("layers = ")[1].splitlines()[0])
    assert f'"{package}"' in settings.split("[tool.pyright]")[1].split("include = ")[1].splitlines()[0]


def test_tests_are_no_package() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_no_test_imports_from_tests() -> None:
    importing = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    assert [path for path in (ROOT / "tests").rglob("*.py") if importing.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("subtype", Subtype)
def test_every_subtype_is_named_in_the_documents(subtype: Subtype) -> None:
    documents = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    assert f"`{subtype}`" in documents
