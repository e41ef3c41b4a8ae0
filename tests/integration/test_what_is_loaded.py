"""A command answers at once, so it imports nothing heavy before it needs it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

HEAVY = ("prefect", "torch", "datasets", "duckdb", "cv2", "numpy", "pyarrow", "label_studio_sdk", "scipy", "sklearn")
# One after the other in one process: what one step may not load, no step before it may.
STEPS = {
    "the help": (("cli.commands",), (*HEAVY, "openai", "anthropic", "google.genai", "aiohttp")),
    "asking a model and reading replies again": (
        ("models.caller", "models.providers.registry"),
        ("openai", "anthropic", "google.genai", "aiohttp"),
    ),
    "a command that reads": (
        ("cli.build_tables", "cli.tables", "storage.lineage"),
        ("prefect", "torch", "datasets"),
    ),
    "the default map of saliency": (("injectors.visual_degradation",), ("torch",)),
    "a review, until the server is asked": (
        (
            "cli.review_tables",
            "tasks.review_plans",
            "tasks.review_pulling",
            "tasks.review_pushing",
            "tasks.review_reports",
            "tasks.review_serving",
        ),
        ("label_studio_sdk", "prefect", "torch"),
    ),
    "a run, until there is something new to make or to release": (
        ("flows.build_benchmark", "flows.build_premise_pairs", "export.premise_standing", "export.standing"),
        ("datasets", "sklearn", "torch"),
    ),
}
CODE = """
import importlib, json, sys
found = {}
for step, (modules, unwanted) in json.loads(sys.argv[1]).items():
    for module in modules:
        importlib.import_module(module)
    found[step] = [name for name in unwanted if name in sys.modules]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(root: Path) -> Mapping[str, list[str]]:
    """What each step has loaded of what it may not."""
    program = [sys.executable, "-c", CODE, json.dumps(STEPS)]
    return json.loads(subprocess.run(program, cwd=root, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("step", STEPS)
def test_it_loads_nothing_that_it_can_do_without(step: str, found: Mapping[str, list[str]]) -> None:
    assert found[step] == []
