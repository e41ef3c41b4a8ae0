"""A prompt that cannot be filled ends a run before its first request, however late the run would have used it."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from models.fault_server.started import StartedFaultServer
from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "tests", "docs", "benchmarks", "*.lock")
Start = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, whose prompts may be broken."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    shutil.copytree(PROJECT, folder, ignore=LEFT_OUT)
    return folder


@pytest.fixture
def start(copy: Path, environment: Mapping[str, str], server: StartedFaultServer, data: Path, tmp_path: Path) -> Start:
    """A command of the copy, with three models on the fault server."""
    specs = {
        name: {"provider": "openai", "name": name, "family": name, "base_url": f"{server.url}/v1"} for name in "abc"
    }
    content = {
        "name": "tested",
        "models": specs,
        "generators": [{"model": "a", "share": 1.0}],
        "panel": {"validators": ["b", "c"]},
    }
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", "from cli.main import main; main()", *arguments, "--models", str(path)],
            cwd=copy,
            env={**environment, "FLAWBENCH_DATA": str(data)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("command", "file", "variable"),
    [
        (("build", "--limit", "6", "--subtype", "ambiguity"), "filters/prompts/validate.v1.md", "claims"),
        (("inject", "unclear_intent", "--limit", "6"), "injectors/prompts/unclear_intent.v1.md", "question"),
        (("plan", "--limit", "6", "--subtype", "ambiguity"), "injectors/prompts/ambiguity.v1.md", "examples"),
        (("premises", "--limit", "2"), "injectors/premise/prompts/premise_answer_negative.v1.md", "hint"),
    ],
    ids=["panel", "inject", "plan", "premises"],
)
def test_a_missing_variable_is_told_with_its_file_before_any_request(
    copy: Path, start: Start, server: StartedFaultServer, command: tuple[str, ...], file: str, variable: str
) -> None:
    path = copy / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f"{{{{ {variable} }}}}", "", 1), encoding="utf-8")
    try:
        ended = start(*command)
    finally:
        path.write_text(text, encoding="utf-8")
    assert ended.returncode == 2, ended.stderr
    assert f"{path} lacks the variable `{variable}`" in ended.stderr
    assert server.counts().asked == 0


def test_the_same_run_with_whole_prompts_asks(start: Start, server: StartedFaultServer) -> None:
    assert start("build", "--limit", "6", "--subtype", "ambiguity").returncode == 0
    assert server.counts().asked > 0


def test_no_prompt_file_is_left_out(copy: Path) -> None:
    script = Path(__file__).with_name("break_prompts.py").read_text(encoding="utf-8")
    told = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    names = {path.name for path in copy.glob("*/**/prompts/*.md")}
    assert told.stdout.splitlines() == [f"{line.split()[0]} told" for line in told.stdout.splitlines()]
    assert {line.split()[0] for line in told.stdout.splitlines()} == names
