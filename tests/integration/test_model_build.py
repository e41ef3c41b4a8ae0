"""Builds that ask models, through the real SDKs on the fault server: nothing is paid twice, whoever touched a candidate
never judges it, and a stop of any kind loses nothing."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from PIL import Image
from pyarrow import parquet
from review_rows import first_project, passed

from core.taxonomy import DUAL_KINDS
from filters.base import DropReason
from models.differences import explain_difference
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from models.reply_store import ReplyStore
from storage.files import Files
from storage.funnel import find_faults
from storage.lineage import Lineage
from storage.reviews import Reviews
from tasks.guard import PROJECT

pytestmark = pytest.mark.integration

KEY = "planted-key-8d1f0b"
WRONG_KEY = "wrong-5f21c-77e0d-90ab7"
KEY_VARIABLE = "FLAWBENCH_TEST_KEY"
LIMIT = "12"
TEXT_SUBTYPES = ("--subtype", "ambiguity", "--subtype", "unclear_intent", "--subtype", "missing_image")
Query = Callable[[Path, str], list[dict[str, Any]]]
Run = Callable[..., "subprocess.CompletedProcess[str]"]
Answer = Callable[..., str]


@pytest.fixture(scope="module")
def server() -> Generator[StartedFaultServer, None, None]:
    with started_fault_server(FaultPlan(require_key=KEY)) as started:
        yield started


@pytest.fixture
def asked(server: StartedFaultServer) -> Generator[StartedFaultServer, None, None]:
    """With an empty log, and without the faults of a test before."""
    server.set(FaultPlan(require_key=KEY))
    server.reset()
    yield server


@pytest.fixture(scope="module")
def models(server: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three generators by the paper's quota, who validate each other, a reserve and an image model."""
    names = {
        "gpt": ("openai", "gpt-5.1", "openai", f"{server.url}/v1"),
        "gemini": ("gemini", "gemini-3-pro", "google", server.url),
        "doubao": ("openai", "doubao-seed-1.6", "bytedance", f"{server.url}/v1"),
        "claude": ("anthropic", "claude-sonnet-4", "anthropic", server.url),
        "painter": ("gemini", "gemini-3-pro-image", "google", server.url),
    }
    content = {
        "name": "tested",
        "models": {
            key: {
                "provider": provider,
                "name": name,
                "family": family,
                "base_url": url,
                "key_variable": KEY_VARIABLE,
                "parameters": {"max_tokens": 2000},
            }
            for key, (provider, name, family, url) in names.items()
        },
        "generators": [
            {"model": "gpt", "share": 0.6},
            {"model": "gemini", "share": 0.25},
            {"model": "doubao", "share": 0.15},
        ],
        "image_editor": "painter",
        "panel": {"validators": ["gpt", "gemini", "doubao"], "reserve": ["claude"]},
        "prices": {name: {"input": 1.0, "output": 10.0, "date": "2026-11-01"} for _, name, _, _ in names.values()},
    }
    path = tmp_path_factory.mktemp("models") / "models.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def settings(models: Path) -> dict[str, str]:
    """The models and their key."""
    return {"FLAWBENCH_MODELS": str(models), KEY_VARIABLE: KEY}


@pytest.fixture(scope="module")
def run(command: Run, settings: dict[str, str]) -> Run:
    return partial(command, **settings)


@pytest.fixture(scope="module")
def built(run: Run, server: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All twelve subtypes from twelve questions."""
    data = tmp_path_factory.mktemp("built")
    run("build", "--limit", LIMIT, data=data)
    return data


@pytest.fixture(scope="module")
def texts_built(run: Run, server: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three subtypes without any disturbance."""
    data = tmp_path_factory.mktemp("texts")
    run("build", "--limit", LIMIT, *TEXT_SUBTYPES, data=data)
    return data


def test_models_make_what_models_are_for_and_every_reply_is_in_the_lineage(query: Query, built: Path) -> None:
    made = query(built, "SELECT subtype, generator, len(families) AS families FROM flaws")
    by_models = {str(row["subtype"]) for row in made if row["generator"] != "rules"}
    assert by_models >= {"ambiguity", "unclear_intent", "beyond_capability", "inter_visual_contradiction"}
    assert all(row["families"] for row in made if row["generator"] != "rules")
    replies = {path.parent.name + path.stem for path in (built / "objects" / "replies").glob("*/*.json")}
    used = {str(row["reply"]) for row in query(built, "SELECT DISTINCT reply FROM calls")}
    assert used == replies


def test_nobody_judges_what_its_family_touched(query: Query, built: Path) -> None:
    judged = query(
        built,
        "SELECT votes.item, list(DISTINCT votes.family) AS judges, any_value(flaws.families) AS makers "
        "FROM votes JOIN flaws ON flaws.candidate = votes.item GROUP BY votes.item",
    )
    assert judged
    for row in judged:
        judges, makers = set(row["judges"]), set(row["makers"])  # type: ignore[call-overload]
        assert len(judges) == 2
        assert not judges & makers


def test_every_kept_candidate_has_four_passes_and_the_rest_a_reason(query: Query, built: Path) -> None:
    passes = query(
        built,
        "SELECT item_id, count(*) FILTER (verdict = 'pass') AS passes FROM build_items "
        "JOIN votes ON votes.item = item_id WHERE kind = 'candidate' GROUP BY item_id",
    )
    assert passes
    assert {row["passes"] for row in passes} == {4}
    assert not query(built, "SELECT id FROM decisions WHERE NOT keep AND reason IS NULL")


def test_the_same_build_again_asks_nothing_and_is_the_same(
    run: Run, built: Path, asked: StartedFaultServer, contents: Callable[[Path], object]
) -> None:
    before = contents(built)
    run("build", "--limit", LIMIT, data=built)
    assert asked.counts().asked == 0
    assert contents(built) == before


def test_replies_alone_give_the_same_build_without_a_server_or_a_key(
    run: Run, built: Path, asked: StartedFaultServer, contents: Callable[[Path], object], data: Path
) -> None:
    shutil.copytree(built / "objects" / "replies", data / "objects" / "replies")
    shutil.copytree(built / "objects" / "pictures", data / "objects" / "pictures")
    run("build", "--limit", LIMIT, data=data, FLAWBENCH_TEST_KEY="", FLAWBENCH_REPLAY="1")
    assert asked.counts().asked == 0
    assert contents(data) == contents(built)


def test_a_model_that_is_only_replayed_gives_the_same_build(
    run: Run, texts_built: Path, asked: StartedFaultServer, contents: Callable[[Path], object], data: Path
) -> None:
    shutil.copytree(texts_built / "objects" / "replies", data / "objects" / "replies")
    run("build", "--limit", LIMIT, *TEXT_SUBTYPES, "--set", "models.gpt.replay=true", data=data)
    assert asked.counts().asked == 0
    assert contents(data) == contents(texts_built)


def test_an_absent_reply_is_named_when_replies_are_replayed_and_can_be_compared(
    run: Run, answer: Answer, texts_built: Path, asked: StartedFaultServer, data: Path
) -> None:
    shutil.copytree(texts_built / "objects" / "replies", data / "objects" / "replies")
    change = ("--set", "models.gpt.parameters.max_tokens=1999")
    build = ("build", "--limit", LIMIT, *TEXT_SUBTYPES, *change)
    result = run(*build, data=data, FLAWBENCH_TEST_KEY="", FLAWBENCH_REPLAY="1", check=False)
    assert result.returncode == 2
    assert "without replay" in result.stderr
    assert asked.counts().asked == 0
    missed = re.findall("why-miss ([0-9a-f]{64})", result.stderr)[0]
    recorded = json.loads(answer("calls", "--json", "--most", "1000", data=texts_built))
    told = [why_miss(data / "objects", missed, str(call["reply"])) for call in recorded]
    (reply,) = {str(call["reply"]) for call, said in zip(recorded, told, strict=True) if len(said) == 1}
    said = answer("calls", "why-miss", missed, reply, data=data)
    assert said.strip() == "the parameter `max_tokens` is 1999 in the first and 2000 in the second"


def why_miss(objects: Path, one: str, other: str) -> tuple[str, ...]:
    requests = [ReplyStore(Files(str(objects))).request(key) for key in (one, other)]
    first, second = (request for request in requests if request)
    return explain_difference(first, second)


def test_a_few_questions_more_pay_only_for_what_is_new(
    run: Run, texts_built: Path, asked: StartedFaultServer, data: Path
) -> None:
    shutil.copytree(texts_built, data)
    before = {path.name for path in (data / "objects" / "replies").glob("*/*.json")}
    run("build", "--limit", "14", *TEXT_SUBTYPES, data=data)
    after = {path.name for path in (data / "objects" / "replies").glob("*/*.json")}
    assert before <= after
    assert asked.counts().asked == len(after - before) < len(before)


@pytest.fixture(scope="module")
def refused(
    run: Run, server: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """A build that ended at a wrong key, which the server repeats."""
    data = tmp_path_factory.mktemp("refused")
    server.set(FaultPlan(require_key=KEY, echoes_key=True))
    stopped = run("build", "--limit", LIMIT, *TEXT_SUBTYPES, data=data, FLAWBENCH_TEST_KEY=WRONG_KEY, check=False)
    server.set(FaultPlan(require_key=KEY))
    return data, stopped


def test_no_part_of_a_key_that_servers_repeat_is_kept_or_shown(
    run: Run,
    query: Query,
    refused: tuple[Path, "subprocess.CompletedProcess[str]"],
    asked: StartedFaultServer,
    data: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Neither by a build that ends at a wrong key nor by one whose replies are full of it. All files of this session
    are searched, the database of Prefect's server among them; packed ones by what they hold."""
    stopped = refused[1]
    shutil.copytree(refused[0], data)
    asked.set(FaultPlan(require_key=KEY, echoes_key=True, share_permanent_400=0.1, share_500_once=0.1))
    made = run("build", "--limit", "6", data=data)
    files = [path for path in tmp_path_factory.getbasetemp().rglob("*") if path.is_file()]
    assert any(path.name == "prefect.db" for path in files)
    lineage = lineage_text(query, data)
    assert lineage.count("[key]") > 50
    texts = [stopped.stderr, made.stdout, made.stderr, lineage]
    texts += [str(parquet.read_table(path).to_pylist()) for path in data.rglob("*.parquet")]
    parts = [key[start : start + 8] for key in (KEY, WRONG_KEY) for start in range(len(key) - 7)]
    assert [part for part in parts for text in texts if part in text] == []
    contents = {path: path.read_bytes() for path in files}
    assert [(path, part) for path, data in contents.items() for part in parts if part.encode() in data] == []


def lineage_text(query: Query, data: Path) -> str:
    """All rows of all tables, which the file holds packed."""
    tables = query(data, "SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE'")
    names = [str(row["table_name"]) for row in tables]
    return str(query(data, " UNION ALL ".join(f'SELECT t::VARCHAR AS row FROM "{name}" AS t' for name in names)))


def test_no_picture_stands_in_the_lineage_or_in_a_reply(query: Query, built: Path) -> None:
    """Neither those that were shown nor those that came back: both are files under their hash."""
    replies = [path.read_text(encoding="utf-8") for path in (built / "objects" / "replies").glob("*/*.json")]
    assert any('"pictures":[{' in text for text in replies)
    assert [text for text in (lineage_text(query, built), *replies) if re.search(r"[A-Za-z0-9+/_-]{256}", text)] == []


def test_cost_agrees_with_the_calls_and_with_what_was_paid(answer: Answer, query: Query, built: Path) -> None:
    summed = json.loads(answer("cost", "--json", data=built))
    exact = query(built, "SELECT sum(usd)::DOUBLE AS usd, count(*) AS n FROM (SELECT DISTINCT reply, usd FROM calls)")
    assert summed["paid_usd"] == pytest.approx(exact[0]["usd"])
    assert sum(line["usd"] for line in summed["lines"]) == pytest.approx(exact[0]["usd"])
    assert (summed["paid_replies"], summed["unused_replies"]) == (exact[0]["n"], 0)


def test_calls_are_listed_and_two_requests_are_compared(answer: Answer, built: Path) -> None:
    calls = json.loads(answer("calls", "--stage", "panel", "--json", data=built))
    one, other = (
        next(call["reply"] for call in calls if call["model"] == name) for name in ("gpt-5.1", "gemini-3-pro")
    )
    told = answer("calls", "why-miss", one, other, data=built)
    assert "gpt-5.1" in told
    assert "gemini-3-pro" in told


@pytest.mark.parametrize("rule", ["any", "majority"])
def test_another_rule_over_stored_votes_is_what_a_build_by_that_rule_gives(
    rule: str, run: Run, query: Query, texts_built: Path, asked: StartedFaultServer, data: Path, tmp_path: Path
) -> None:
    replayed, fresh = data, tmp_path / "fresh"
    shutil.copytree(texts_built, replayed)
    shutil.copytree(texts_built / "objects", fresh / "objects")
    run("refilter", "starter", "--rule", rule, data=replayed)
    run("build", "--limit", LIMIT, *TEXT_SUBTYPES, "--set", f"panel.rule={rule}", data=fresh)
    sql = "SELECT item_id, rank FROM build_items WHERE kind = 'candidate' ORDER BY rank"
    assert query(replayed, sql) == query(fresh, sql)
    assert asked.counts().asked == 0


def test_another_rule_over_a_build_in_review_says_what_leaves_it_and_loses_no_verdict(
    run: Run, answer: Answer, texts_built: Path, data: Path
) -> None:
    shutil.copytree(texts_built, data)
    with duckdb.connect(data / "lineage.duckdb") as stored:  # the scripted validators agree on everything
        stored.execute("UPDATE votes SET verdict = 'pass' WHERE family = 'google'")
    run("refilter", "starter", "--rule", "any", data=data)
    run("review", "plan", "starter", "--annotators", "ada,ben", "--controls", "0", data=data)
    reviews = Reviews(data / "lineage.duckdb", 30)
    for name in ("ada", "ben"):
        asked = [found for found in reviews.assignments("starter") if found.annotator == name]
        reviews.store_pull(
            first_project("starter", name), [passed(found) for found in asked], [found.item for found in asked]
        )
    before = json.loads(answer("review", "status", "starter", "--json", data=data))
    assert before["accepted"] == before["items"]

    told = run("refilter", "starter", "--rule", "all", data=data)

    during = json.loads(answer("review", "status", "starter", "--json", data=data))
    gone = during["gone"]
    assert gone > 0
    assert (during["accepted"], during["open"]) == (before["items"] - gone, 0)
    line = f"{gone} rows that people have left the build, {gone} of them judged"
    assert line in " ".join(told.stdout.split())
    assert f"build=starter is in review: {gone} rows left it" in told.stderr
    rows = during["items"]
    assert f"; {rows} of {rows} rows judged by people" in " ".join(told.stdout.split())
    verdicts = json.loads(answer("review", "verdicts", "starter", "--format", "json", data=data))
    assert sum(not row["in_build"] for row in verdicts) == 2 * gone
    assert json.loads(answer("review", "status", "starter", "--flagged", "--json", data=data)) == []
    again = run("refilter", "starter", "--rule", "any", data=data).stdout
    assert f"; {gone} came back and count again" in " ".join(again.split())
    assert json.loads(answer("review", "status", "starter", "--json", data=data)) == before


@pytest.fixture(scope="module")
def combined(
    run: Run, built: Path, server: StartedFaultServer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """The whole build with second flaws, from a server that is slow and fails at times."""
    data = tmp_path_factory.mktemp("combined") / "data"
    shutil.copytree(built, data)
    server.set(FaultPlan(require_key=KEY, latency_seconds=0.2, share_500_once=0.3))
    made = run("combine", "starter", "--budget", "30", data=data)
    server.set(FaultPlan(require_key=KEY))
    return data, made


def test_kept_candidates_get_a_second_flaw_and_are_judged_by_those_who_touched_neither(
    query: Query, combined: tuple[Path, "subprocess.CompletedProcess[str]"]
) -> None:
    data, made = combined
    assert "; budget 30 US dollars" in made.stderr
    duals = query(
        data,
        "SELECT candidates.id, json_extract_string(record, '$.flaws[*].subtype') AS subtypes, list(DISTINCT family) AS "
        "judges, list_distinct(flatten(json_extract(record, '$.flaws[*].families')::VARCHAR[][])) AS makers "
        "FROM build_items JOIN candidates ON candidates.id = item_id JOIN votes ON votes.item = item_id "
        "WHERE build = 'starter-dual' AND kind = 'candidate' GROUP BY ALL",
    )
    expected = {(str(first), str(kind.second)) for kind in DUAL_KINDS.values() for first in kind.first}
    kinds = {tuple(row["subtypes"]) for row in duals}  # type: ignore[arg-type]
    assert kinds
    assert kinds <= expected
    assert all(not set(row["judges"]) & set(row["makers"]) for row in duals)  # type: ignore[call-overload]
    funnel = Lineage(data / "lineage.duckdb", lock_timeout_seconds=30).funnel("starter-dual")
    assert find_faults(funnel) == []
    assert any(row.unselected.get(DropReason.QUESTION_TAKEN) for row in funnel.subtypes)


def test_combined_again_it_is_the_same_build_whatever_was_done_first(
    run: Run,
    combined: tuple[Path, "subprocess.CompletedProcess[str]"],
    asked: StartedFaultServer,
    contents: Callable[[Path], object],
) -> None:
    data, _ = combined
    before = contents(data)
    run("combine", "starter", data=data)
    assert asked.counts().asked == 0
    assert contents(data) == before


def test_no_second_flaw_is_asked_for_where_nobody_could_judge_it(
    run: Run, asked: StartedFaultServer, built: Path, data: Path
) -> None:
    shutil.copytree(built, data)
    alone = ("--set", "panel.validators=[gpt]", "--set", "panel.reserve=[]")
    result = run("combine", "starter", *alone, data=data, check=False)
    assert result.returncode == 2, result.stdout
    assert "no validator" in result.stderr
    assert asked.counts().asked == 0


def test_questions_are_put_in_other_words_first_where_a_rewriter_is_named(
    run: Run, answer: Answer, query: Query, asked: object, data: Path
) -> None:
    """The rewriter's family then judges nothing: the reserve does (M-7, A9)."""
    run("build", "--limit", LIMIT, "--subtype", "ambiguity", "--set", "rewriter=doubao", data=data)
    members = query(
        data,
        "SELECT now.record ->> 'rewritten_from' AS origin, now.record ->> 'query' AS query, "
        "old.record ->> 'query' AS was FROM build_items JOIN samples AS now ON now.id = item_id "
        "LEFT JOIN samples AS old ON old.id = now.record ->> 'rewritten_from' WHERE build_items.kind = 'sample'",
    )
    rewritten = [row for row in members if row["origin"]]
    assert len(rewritten) > int(LIMIT) / 2
    assert all(row["query"] != row["was"] for row in rewritten if row["was"])
    judges = {row["family"] for row in query(data, "SELECT DISTINCT family FROM votes")}
    assert "anthropic" in judges
    assert len(json.loads(answer("calls", "--stage", "rewrite", "--json", data=data))) >= len(rewritten)


def test_a_budget_ends_the_build_before_it_is_passed_and_a_larger_one_goes_on(
    run: Run, answer: Answer, texts_built: Path, asked: StartedFaultServer, data: Path
) -> None:
    whole = json.loads(answer("cost", "--json", data=texts_built))["paid_usd"]
    budget = whole / 2 + 0.05
    result = run("build", "--limit", LIMIT, *TEXT_SUBTYPES, "--budget", str(budget), data=data, check=False)
    assert result.returncode == 2
    assert "budget" in result.stderr
    paid = [path.read_text(encoding="utf-8") for path in data.glob("spending/*/*.jsonl")]
    spent = sum(json.loads(line).get("usd", 0) for text in paid for line in text.splitlines())
    assert 0 < spent <= budget
    run("build", "--limit", LIMIT, *TEXT_SUBTYPES, "--budget", "100", data=data)
    assert asked.counts().repeated == 0
    assert json.loads(answer("cost", "--json", data=data))["paid_usd"] == pytest.approx(whole)


def test_a_plan_of_a_finished_build_finds_all_of_its_replies(
    run: Run, built: Path, asked: StartedFaultServer, data: Path
) -> None:
    shutil.copytree(built, data)
    told = run("plan", "--limit", LIMIT, data=data).stdout
    counts = re.findall(r"(\d+) calls, (\d+) of them stored; likely 0\.00 US dollars, at most 0\.00", told)
    assert counts
    calls, stored = map(int, counts[0])
    assert calls == stored > 100
    assert {"inject", "panel", "twin"} <= {line.split()[0] for line in told.splitlines() if line.strip()}
    assert asked.counts().asked == 0


def test_a_plan_before_the_build_guesses_only_what_follows_from_answers(
    run: Run, asked: StartedFaultServer, data: Path
) -> None:
    def plan(*changes: str) -> dict[tuple[str, str], list[str]]:
        told = run("plan", "--limit", LIMIT, *TEXT_SUBTYPES, *changes, data=data).stdout
        cells = [line.split() for line in told.splitlines()]
        return {(row[0], row[1]): row[2:5] for row in cells if len(row) == 9 and row[2].isdecimal()}

    rows = plan()
    assert rows["inject", "gpt"][1:] == ["0", "0"]
    assert int(rows["panel", "gpt"][2]) > 0
    assert ("panel", "claude") not in rows
    rows = plan("--set", "rewriter=doubao")
    assert rows["rewrite", "doubao"] == [LIMIT, "0", "0"]
    assert rows["inject", "gpt"][2] == rows["inject", "gpt"][0]
    assert ("panel", "doubao") not in rows
    assert int(rows["panel", "claude"][2]) > 0
    assert asked.counts().asked == 0


def test_a_build_that_keeps_nothing_says_why_and_what_it_cost(
    run: Run, answer: Answer, asked: StartedFaultServer, data: Path
) -> None:
    asked.set(FaultPlan(require_key=KEY, share_refusal=1))
    result = run("build", "--limit", LIMIT, "--subtype", "ambiguity", data=data, check=False)
    assert result.returncode == 2
    assert f"reply refused {LIMIT} times (refused by an injector)" in result.stderr
    paid = json.loads(answer("cost", "--json", data=data))["paid_usd"]
    assert f"Paid: {paid:.4f} US dollars for this build so far." in result.stderr
    assert "reply refused" in answer("funnel", data=data)


def test_a_wrong_key_ends_the_build_with_the_variable_to_set(
    run: Run,
    refused: tuple[Path, "subprocess.CompletedProcess[str]"],
    asked: StartedFaultServer,
    data: Path,
) -> None:
    before, result = refused
    assert result.returncode == 2
    assert KEY_VARIABLE in result.stderr
    assert WRONG_KEY not in result.stderr
    shutil.copytree(before, data)
    run("build", "--limit", LIMIT, *TEXT_SUBTYPES, data=data)


def test_a_picture_that_a_model_cannot_be_shown_is_told_before_any_call_and_scaled_where_that_is_allowed(
    run: Run, answer: Answer, asked: StartedFaultServer, data: Path, tmp_path: Path
) -> None:
    build = ("build", "--recipe", write_recipe_of_gifs(tmp_path))
    refused = run(*build, data=data, check=False)
    assert refused.returncode == 2
    assert re.search(r"cannot be shown to gemini:gemini-3-pro \(`gemini`\): .*image/gif", refused.stderr)
    assert "Set `models.gemini.scale_pictures_to`" in refused.stderr
    assert asked.counts().asked == 0
    scaled = [f"models.{name}.scale_pictures_to=2048" for name in ("gemini", "painter")]
    run(*build, *(option for change in scaled for option in ("--set", change)), data=data)
    calls = json.loads(answer("calls", "--model", "gemini-3-pro", "--json", data=data))
    requests = [ReplyStore(Files(str(data / "objects"))).request(call["reply"]) for call in calls]
    assert requests
    assert {request.scale_pictures_to for request in requests if request} == {2048}


def write_recipe_of_gifs(folder: Path) -> str:
    """Six questions of the starter set, with their pictures in a form that Gemini does not take."""
    starter, questions = PROJECT / "starter", folder / "questions"
    (questions / "pictures").mkdir(parents=True)
    rows = [json.loads(line) for line in (starter / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if len(row["pictures"]) == 1][:6]
    for row in rows:
        (name,) = row["pictures"]
        row["pictures"] = [f"{name}.gif"]
        Image.open(starter / "pictures" / name).convert("RGB").save(questions / "pictures" / f"{name}.gif")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (questions / "questions.jsonl").write_text(text, encoding="utf-8")
    recipe = folder / "recipe.yaml"
    content = {"name": "gifs", "sources": [{"reader": "starter", "location": str(questions)}]}
    recipe.write_text(yaml.safe_dump({**content, "targets": {"unclear_intent": 6}}), encoding="utf-8")
    return str(recipe)


def test_a_killed_build_goes_on_without_paying_for_what_was_stored(
    run: Run,
    spawn: Callable[..., "subprocess.Popen[str]"],
    settings: dict[str, str],
    texts_built: Path,
    asked: StartedFaultServer,
    contents: Callable[[Path], object],
    wait_for: Callable[[Callable[[], bool], float], None],
    data: Path,
) -> None:
    asked.set(FaultPlan(require_key=KEY, latency_seconds=0.3))
    build = ("build", "--limit", LIMIT, *TEXT_SUBTYPES)
    for count in (3, 30):
        with spawn(*build, data=data, **settings) as process:
            wait_for(
                lambda count=count, process=process: _stored(data) >= count or process.poll() is not None,  # type: ignore[misc]
                120,
            )
            process.kill()
    run(*build, data=data)
    assert contents(data) == contents(texts_built)
    assert asked.counts().repeated <= 2 * 40  # what was on its way at each kill


def _stored(data: Path) -> int:
    return sum(1 for _ in (data / "objects" / "replies").glob("*/*.json"))
