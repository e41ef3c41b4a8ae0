"""A real small model behind llama.cpp, end to end: its text is poor and most of what it writes is rejected. What is
held here is that each rejection has its true reason, and that nothing breaks on what a model really writes."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

Query = Callable[[Path, str], list[dict[str, object]]]
SERVER = Path(__file__).parent / "local_model_server.py"
SUBTYPES = ("ambiguity", "unclear_intent")
STARTER = PROJECT / "starter"
MOST_TOKENS = 128  # of a reply; one that is cut off there is asked for again with twice as many


@pytest.fixture(scope="module")
def base_url(unused_port: Callable[[], int], lacks: Callable[[str], NoReturn]) -> Generator[str, None, None]:
    if find_spec("xllamacpp") is None:
        lacks("the group local-model is not installed")
    command = [sys.executable, str(SERVER), str(unused_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            assert address, "the model did not start"
            yield f"{address}/v1"
        finally:
            server.terminate()
            server.wait(20)


def write_recipe(folder: Path) -> Path:
    """A question of the starter set, and one with a picture, which this model cannot read. Each token takes the
    processor 15 ms, so there are no more."""
    rows = [json.loads(line) for line in (STARTER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = [row for row in rows if not row["pictures"]][2:3] + [row for row in rows if len(row["pictures"]) == 1][:1]
    questions = folder / "questions"
    shutil.copytree(STARTER / "pictures", questions / "pictures")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in chosen)
    (questions / "questions.jsonl").write_text(text, encoding="utf-8")
    targets = ", ".join(f"{subtype}: {len(chosen)}" for subtype in SUBTYPES)
    recipe = folder / "recipe.yaml"
    recipe.write_text(
        f"name: local\nsources: [{{reader: starter, location: {questions}}}]\ntargets: {{{targets}}}\n",
        encoding="utf-8",
    )
    return recipe


@pytest.fixture(scope="module")
def built(
    command: Callable[..., "subprocess.CompletedProcess[str]"],
    base_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    data = tmp_path_factory.mktemp("local")
    options = ["--recipe", str(write_recipe(data))]
    changes = ("few_shot=0", f"models.local.parameters.max_tokens={MOST_TOKENS}", "models.local.limits.concurrency=2")
    options += [option for change in changes for option in ("--set", change)]
    variables = {"FLAWBENCH_BASE_URL": base_url, "FLAWBENCH_MODEL": "smollm2-135m"}
    return data, command("build", *options, data=data, check=False, **variables)


def test_the_build_ends_well_or_says_that_nothing_is_left(
    built: tuple[Path, "subprocess.CompletedProcess[str]"],
) -> None:
    _, result = built
    assert "Traceback" not in result.stderr
    assert result.returncode == 0 or (result.returncode == 2 and "kept no candidate" in result.stderr), result.stderr


def test_every_question_has_a_decision_and_every_rejection_a_true_reason(
    built: tuple[Path, "subprocess.CompletedProcess[str]"],
    query: Query,
) -> None:
    data, _ = built
    decided = query(data, "SELECT item, subtype, keep, reason, evidence FROM decisions WHERE stage = 'inject'")
    assert len(decided) == 2 * len(SUBTYPES)
    assert all(row["keep"] or (row["reason"] and row["evidence"]) for row in decided)
    statuses = {
        (row["item"], row["subtype"]): row["status"]
        for row in query(data, "SELECT item, subtype, arg_max(status, asked) AS status FROM calls GROUP BY ALL")
    }
    for row in decided:
        reason, status = str(row["reason"]), statuses.get((row["item"], row["subtype"]))
        if reason.startswith("reply_"):
            assert status == reason.removeprefix("reply_")
        elif status is not None and not row["keep"]:
            assert status == "ok"


def test_replies_are_kept_as_received_with_tokens_and_the_name_that_was_reported(
    built: tuple[Path, "subprocess.CompletedProcess[str]"],
    query: Query,
) -> None:
    data, _ = built
    calls = query(
        data,
        "SELECT subtype, model_reported, prompt_tokens, completion_tokens FROM calls WHERE status <> 'failed'",
    )
    assert {row["subtype"] for row in calls} == set(SUBTYPES)
    assert all(row["model_reported"] == "smollm2-135m" and row["prompt_tokens"] for row in calls)
    assert all(0 < int(str(row["completion_tokens"])) <= 2 * MOST_TOKENS for row in calls)
