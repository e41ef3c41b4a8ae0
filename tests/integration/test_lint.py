"""`flawbench lint` as a command: status, formats, and what is known of the released files of Judge Before Answer."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.commands import app

pytestmark = pytest.mark.integration


def _lint(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["lint", *arguments], catch_exceptions=False)


def _refuse(*arguments: str, **environment: str) -> str:
    """What the whole program says, in a process of its own, of what it does not take."""
    program = [sys.executable, "-c", "from cli.main import main; main()", "lint", *arguments]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert done.returncode == 2
    return done.stderr


def _findings(path: Path) -> dict[str, dict[str, Any]]:
    done = _lint(str(path), "--format", "json")
    assert done.exit_code == 1, done.stderr
    findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    assert len({one["kind"] for one in findings}) == len(findings)
    return {one["kind"]: one for one in findings}


@pytest.fixture
def released(shared: Path) -> Path:
    folder = shared / "jba"
    if not folder.is_dir():
        pytest.skip(f"no released files of Judge Before Answer in {folder}")
    return folder


def test_known_defects_of_the_sft_file_are_found(released: Path) -> None:
    found = _findings(released / "incorrect_premise_questions_SFT.json")
    assert found["no_leak"]["count"] == 10
    assert found["prompt_debris"]["count"] >= 19
    assert found["newline"]["count"] == 4
    assert found["duplicate_question"]["count"] == 19
    assert 228 <= found["premise_not_replaced"]["count"] <= found["premise_not_replaced"]["as_substring"] <= 304
    assert found["blind_baseline"]["accuracy"] > 0.85
    assert found["blind_baseline"]["interval"][0] > 0.85
    assert found["picture_missing"]["count"] == 7518
    positives = found["premise_missing_in_positive"]
    assert 0.3 < positives["count"] / positives["positives"] < 0.4
    words = {(word["word"], word["place"]) for word in found["one_sided_word"]["words"]}
    assert {("might", "anywhere"), ("would", "anywhere"), ("if", "anywhere")} <= words
    assert {("what", "first"), ("how", "first"), ("is", "first"), ("why", "first")} <= words
    assert "hint_quote" not in found


def test_known_defects_of_the_grpo_file_are_found(released: Path) -> None:
    found = _findings(released / "incorrect_premise_questions_GRPO.json")
    assert found["no_leak"]["count"] == 3
    assert found["prompt_debris"]["count"] >= 16
    assert found["newline"]["count"] == 5
    assert found["duplicate_question"]["count"] == 4
    assert found["hint_quote"]["count"] in (574, 575)
    assert 93 <= found["premise_not_replaced"]["count"] <= found["premise_not_replaced"]["as_substring"] <= 125
    assert found["blind_baseline"]["accuracy"] > 0.85
    assert [one["subtype"] for one in found["label_imbalance"]["subtypes"]] == ["State Attributes"]


def _write(folder: Path, *questions: str) -> str:
    path = folder / "data.json"
    path.write_text(json.dumps([{"txt": question} for question in questions]), encoding="utf-8")
    return str(path)


def test_status_follows_the_severity_asked_for(tmp_path: Path) -> None:
    path = _write(tmp_path, "What is the long thing there?", "What is the long thing there?")
    mapped = (path, "--map", "question=txt")
    assert _lint(*mapped).exit_code == 0
    assert _lint(*mapped, "--fail-on", "warning").exit_code == 1
    debris = _lint(_write(tmp_path, "Output: what is it?"), "--map", "question=txt")
    assert debris.exit_code == 1
    assert "prompt_debris  1" in debris.stdout


def test_what_cannot_be_read_is_status_2_with_a_way_out(tmp_path: Path) -> None:
    assert _refuse(_write(tmp_path, "What is it?")).splitlines() == [
        "flawbench: No column is called question; there are txt.",
        "Name it with --map question=COLUMN.",
    ]
    missing = _refuse("nobody/nothing", HF_HUB_OFFLINE="1")
    assert "--revision" in missing
    assert "Traceback" not in missing


def test_a_report_is_printed_as_a_page(tmp_path: Path) -> None:
    path = _write(tmp_path, "Output: what is <b>it</b>?")
    page = _lint(path, "--map", "question=txt", "--format", "html").stdout
    assert page.startswith("<!doctype html>")
    assert "<b>it" not in page
