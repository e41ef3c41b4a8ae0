"""Premise pairs from the command to the release: from what is on file, and through the real SDKs on the fault server,
whose scripted replies carry every fault that the released questions of Judge Before Answer have."""

import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import yaml
from PIL import Image

from models.base import PicturePart
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer
from models.reply_store import ReplyStore
from storage.files import Files

pytestmark = pytest.mark.integration

Query = Callable[[Path, str], list[dict[str, Any]]]
Answer = Callable[..., str]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
PICTURES = 100  # with fewer, chance alone can put what so few pairs tell above the limit
SUBTYPES = ("entity_existence", "visual_attributes", "scene")


@pytest.fixture(scope="module")
def recipes(running: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `pairs.yaml` and `independent.yaml`: more is wanted than the pictures give."""
    folder = tmp_path_factory.mktemp("recipes")
    (folder / "pictures").mkdir()
    for number in range(PICTURES):
        blocks = np.random.default_rng(number).integers(0, 256, (8, 8, 3), dtype=np.uint8)
        Image.fromarray(blocks).resize((64, 64), Image.Resampling.NEAREST).save(folder / "pictures" / f"{number}.png")
    names = {
        "seer": ("openai", "vision-large", "alpha", f"{running.url}/v1"),
        "writer": ("openai", "text-large", "alpha", f"{running.url}/v1"),
        "checker": ("gemini", "gemini-3-pro", "google", running.url),
    }
    models = {
        "name": "tested",
        "models": {
            key: {"provider": provider, "name": name, "family": family, "base_url": url, "price": "all"}
            for key, (provider, name, family, url) in names.items()
        },
        "generators": [{"model": "seer", "share": 1.0}],
        "question_writer": "writer",
        "panel": {"validators": ["checker"]},
        "prices": {"all": {"input": 1.0, "output": 10.0, "date": "2026-11-01"}},
    }
    for spec in models["models"].values():
        spec["key_variable"] = "FLAWBENCH_TEST_KEY"
    (folder / "models.yaml").write_text(yaml.safe_dump(models), encoding="utf-8")
    for name, pairing in (("pairs", "matched"), ("independent", "independent")):
        recipe = {
            "name": name,
            "sources": [{"reader": "starter"}, {"reader": "picture_folder", "location": str(folder / "pictures")}],
            "premises": {"targets": dict.fromkeys(SUBTYPES, 30), "pairing": pairing},
            "models": "models.yaml",
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(command: Run) -> Run:
    return partial(command, FLAWBENCH_TEST_KEY="a-key")


def only_release(data: Path) -> Path:
    (folder,) = (data / "releases").iterdir()
    return folder


@pytest.fixture(scope="module")
def shipped(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped recipe, without any key."""
    data = tmp_path_factory.mktemp("shipped")
    run("premises", data=data)
    return data


@pytest.fixture(scope="module")
def asked(run: Run, recipes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs that models made, without a disturbance."""
    data = tmp_path_factory.mktemp("asked")
    run("premises", "--recipe", str(recipes / "pairs.yaml"), data=data)
    return data


def test_the_shipped_recipe_gives_matched_pairs_in_splits_that_share_nothing(run: Run, shipped: Path) -> None:
    rows = [row for split in datasets.load_dataset(str(only_release(shipped))).values() for row in split]
    pairs: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        pairs.setdefault(row["pair_id"], []).append(row)
    assert len(rows) >= 150
    for one, other in pairs.values():
        assert {one["label"], other["label"]} == {True, False}
        assert one["images"] == other["images"]
        assert one["question"].replace(one["stated"], "", 1) == other["question"].replace(other["stated"], "", 1)
    for share in (lambda row: row["source_id"], lambda row: (row["subtype"], row["premise"].casefold())):
        places: dict[object, set[object]] = {}
        for row in rows:
            places.setdefault(share(row), set()).add(row["stage"] or row["split"])
        assert {len(found) for found in places.values()} == {1}


@pytest.fixture(scope="module")
def linted(run: Run, shipped: Path) -> dict[str, Any]:
    return json.loads(run("lint", str(only_release(shipped)), "--format", "json", data=shipped).stdout)


def test_the_linter_tells_of_the_pairs_what_their_gate_measured(linted: dict[str, Any], shipped: Path) -> None:
    folder = only_release(shipped)
    report = json.loads((folder / "manifest.json").read_text())["blindness"]["report"]
    (blind,) = [one for one in linted["findings"] if one["kind"] == "blind_baseline"]
    assert blind["count"] == report["rows"] >= 150
    for name in ("classifiers", "subtypes", "features", "majority"):
        assert blind[name] == report[name]


def test_targets_stand_with_sft_and_labels_alone_with_grpo(shipped: Path) -> None:
    folder = str(only_release(shipped))
    sft = datasets.load_dataset(folder, "sft", split="train")
    grpo = datasets.load_dataset(folder, "grpo", split="train")
    assert len(sft) > 20 and len(grpo) > 10
    assert not {*sft["id"]} & {*grpo["id"]}
    assert all(row["completion"][0]["content"].startswith("<think>\n") for row in sft)
    assert "completion" not in grpo.column_names
    assert {type(label) for label in grpo["label"]} == {bool}
    assert all(row["reference"] for row in grpo)


def test_the_text_alone_does_not_solve_the_shipped_pairs(shipped: Path) -> None:
    manifest = json.loads((only_release(shipped) / "manifest.json").read_text())
    report = manifest["blindness"]["report"]
    assert report["best"]["interval"][1] <= manifest["blindness"]["limit"] == 0.6
    assert {found["subtype"] for found in report["subtypes"]} >= {"entity_existence", "scene"}
    assert "## What the text alone tells" in (only_release(shipped) / "README.md").read_text()


def test_the_chain_of_a_question_shows_all_that_it_came_from(answer: Answer, query: Query, asked: Path) -> None:
    (row, *_) = query(asked, "SELECT question AS id FROM premise_splits WHERE split = 'sft' ORDER BY question")
    chain = json.loads(answer("lineage", "--json", str(row["id"]), data=asked))
    hanging = {(child["relation"], child["kind"]) for child in chain["children"]}
    assert hanging >= {
        ("injected_from", "sample"),
        ("made_by", "shard"),
        ("produced_by", "decision"),
        ("decided", "decision"),
        ("asked", "call"),
        ("verified", "premise_vote"),
        ("member_of", "build"),
        ("published_in", "release"),
    }
    roles = [child["facts"]["role"] for child in chain["children"] if child["kind"] == "call"]
    assert Counter(roles) >= Counter({"generator": 2, "question_writer": 1, "validator": 1})
    for child in chain["children"]:
        if child["kind"] in ("premise_vote", "answer"):
            assert json.loads(answer("lineage", "--json", child["id"], data=asked))["children"]


def test_every_known_fault_is_caught_and_counted_by_its_reason(answer: Answer, query: Query, asked: Path) -> None:
    sql = "SELECT stage, reason, count(*) AS items FROM decisions WHERE NOT keep GROUP BY ALL"
    counts = {(row["stage"], row["reason"]): row["items"] for row in query(asked, sql)}
    assert {reason for stage, reason in counts if stage == "inject"} >= {
        "no_premise",
        "premise_unusable",
        "premise_not_in_caption",
        "premise_not_replaced",
        "premise_in_negative",
        "replacement_is_synonym",
        "premise_not_stated",
        "premise_asked",
        "prompt_debris",
        "not_one_sentence",
        "hedged",
        "language_changed",
        "model_declined",
    }
    assert counts["panel", "premise_not_shown"] and counts["panel", "replacement_holds"]
    assert counts["answer", "hint_quoted"]
    funnel = json.loads(answer("funnel", "pairs", "--json", data=asked))["premises"]
    assert sum(row["absent"] for row in funnel) == counts["inject", "no_premise"]
    for row in funnel:
        assert row["made"] == row["taken"] + sum((row["unverified"] | row["untaken"]).values())


def test_no_fault_is_in_the_release(asked: Path) -> None:
    rows = [row for split in datasets.load_dataset(str(only_release(asked))).values() for row in split]
    for row in rows:
        assert row["verified"] == "gemini:gemini-3-pro"
        assert row["question"].count("\n") == 0 and "premise" not in row["question"].casefold()
        assert row["stated"].casefold() == (row["premise"] if row["label"] else row["replacement"]).casefold()
        assert row["label"] or row["premise"] not in row["question"]
    assert len({row["question"] for row in rows}) == len(rows)


def test_the_linter_finds_nothing_wrong_and_measures_what_the_gate_did(linted: dict[str, Any], shipped: Path) -> None:
    manifest = json.loads((only_release(shipped) / "manifest.json").read_text())
    assert linted["splits"] == {split: manifest["rows"][split] for split in ("test", "train")}
    blind = next(found for found in linted["findings"] if found["kind"] == "blind_baseline")
    assert (blind["split"], blind["count"]) == ("test+train", manifest["blindness"]["report"]["rows"])
    assert [found["kind"] for found in linted["findings"] if found["severity"] == "error"] == []


def test_the_question_writer_never_sees_a_picture(query: Query, asked: Path) -> None:
    store = ReplyStore(Files(str(asked / "objects")))
    models, shown = defaultdict[str, set[str]](set), defaultdict[str, set[bool]](set)
    for row in query(asked, "SELECT DISTINCT role, reply FROM calls"):
        request = store.request(row["reply"])
        assert request
        models[row["role"]].add(request.model)
        shown[row["role"]].add(any(isinstance(part, PicturePart) for said in request.messages for part in said.parts))
    assert models == {"generator": {"vision-large"}, "question_writer": {"text-large"}, "validator": {"gemini-3-pro"}}
    assert shown == {"generator": {True}, "question_writer": {False}, "validator": {True}}


def test_calls_of_every_stage_can_be_listed(answer: Answer, asked: Path) -> None:
    for stage in ("inject", "panel", "answer"):
        listed = json.loads(answer("calls", "--stage", stage, "--json", data=asked))
        assert {call["stage"] for call in listed} == {stage}


def test_what_was_answered_is_never_asked_again(
    run: Run, server: StartedFaultServer, recipes: Path, asked: Path
) -> None:
    before = only_release(asked)
    again = run("premises", "--recipe", str(recipes / "pairs.yaml"), data=asked)
    assert server.counts().asked == 0
    assert only_release(asked) == before
    assert f"all {41 + PICTURES} pictures were asked" in again.stdout


def test_a_killed_build_goes_on_and_ends_with_the_same_bytes(
    run: Run,
    server: StartedFaultServer,
    recipes: Path,
    asked: Path,
    data: Path,
    spawn: Callable[..., "subprocess.Popen[str]"],
    wait_for: Callable[[Callable[[], bool], float], None],
) -> None:
    server.set(FaultPlan(latency_seconds=0.05))
    build = ("premises", "--recipe", str(recipes / "pairs.yaml"))
    with spawn(*build, data=data, FLAWBENCH_TEST_KEY="a-key") as process:
        wait_for(lambda: server.counts().replies > 60, 120)
        process.kill()
    server.set(FaultPlan())
    run(*build, data=data)
    assert server.counts().repeated <= server.counts().replies * 0.3
    for file in ("manifest.json", "README.md"):
        assert (only_release(data) / file).read_bytes() == (only_release(asked) / file).read_bytes()


def test_the_published_scheme_gives_each_label_pictures_of_its_own(
    run: Run, query: Query, recipes: Path, data: Path
) -> None:
    refused = run("premises", "--recipe", str(recipes / "independent.yaml"), "--limit", "40", data=data, check=False)
    assert refused.returncode == 2
    assert "questions are too few to show that nothing is told" in refused.stderr
    rows = query(data, "SELECT subtype, label, sample, pair FROM premise_questions")
    true = {(row["subtype"], row["sample"]) for row in rows if row["label"]}
    false = {(row["subtype"], row["sample"]) for row in rows if not row["label"]}
    assert true and false and not true & false
    assert {row["pair"] for row in rows} == {None}


def test_a_build_of_the_other_kind_is_refused(run: Run, recipes: Path, data: Path) -> None:
    refused = run("build", "--recipe", "premises", data=data, check=False)
    assert refused.returncode == 2
    assert "flawbench premises --recipe premises" in refused.stderr
    other = run("premises", "--recipe", "starter", data=data, check=False)
    assert other.returncode == 2
    assert "has no `premises`" in other.stderr
