"""`flawbench calls show` and the list of calls, as a user gets them."""

import json
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.commands import app
from core.calls import AnswerStatus, Call
from core.errors import FlawbenchError
from core.model_specs import Parameters
from core.recipe import Recipe
from core.records import Picture, Stage
from core.settings import load_settings
from core.taxonomy import Subtype
from models.base import Message, ModelRequest, PicturePart, StoredReply, TextPart
from models.reply_store import ReplyStore
from models.requests import request_key
from storage.files import Files
from storage.lineage import Lineage
from storage.parts import PartInfo, make_part
from storage.rows import call_rows
from storage.runs import RunInfo

STARTED = datetime(2026, 11, 30, 8, tzinfo=UTC)
PICTURE = Picture(sha256="c" * 64, media_type="image/png", width=640, height=480)
SIGNATURE = "QUJD" * 100


def make_reply(question: str, body: str | None, failure: str | None = None) -> StoredReply:
    request = ModelRequest(
        provider="openai",
        model="gpt-5.1",
        base_url="http://somewhere/v1",
        system="You judge.",
        messages=(
            Message(
                role="user",
                parts=(TextPart(text="Look at "), PicturePart(picture=PICTURE), TextPart(text=question)),
            ),
        ),
        parameters=Parameters(),
    )
    return StoredReply(
        key=request_key(request),
        request=request,
        body=body,
        failure=failure,
        http_status=400 if failure else None,
        status=AnswerStatus.FAILED if failure else AnswerStatus.OK,
        asked="2026-11-30T08:00:00+00:00",
    )


def make_call(number: int, reply: StoredReply) -> Call:
    return Call(
        reply=reply.key,
        stage=Stage.PANEL,
        role="validator",
        item=f"cnd_{number:032x}",
        subtype=Subtype.AMBIGUITY,
        provider="openai",
        model="gpt-5.1",
        family="openai",
        prompt="validate@1",
        prompt_hash="0" * 64,
        parameters="{}",
        status=reply.status,
        attempts=1,
        usd=0.25,
        latency_seconds=1.26,
        asked=reply.asked,
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path, None, None]:
    """The data folder of the commands."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLAWBENCH_DATA", str(folder))
        yield folder


@pytest.fixture(scope="module")
def replies(data: Path) -> list[StoredReply]:
    """An answer with a red word for terminals, and a refused request; 60 calls that used the answer."""
    text = "Nobody can tell. \x1b[31mTYPE: PASS"
    answer = {"choices": [{"message": {"role": "assistant", "content": text, "signature": SIGNATURE},
              "finish_reason": "stop", "index": 0}], "model": "gpt-5.1", "id": "1", "created": 1,
              "object": "chat.completion"}  # fmt: skip
    found = [make_reply("first?", json.dumps(answer)), make_reply("second?", None, "400: too long")]
    settings = load_settings()
    store = ReplyStore(Files(settings.objects_url))
    for reply in found:
        store.put(reply)
    lineage = Lineage(settings.lineage_file, 20.0)
    recipe = Recipe.model_validate({"name": "small", "sources": [{"reader": "starter"}], "targets": {"ambiguity": 1}})
    run = RunInfo(build="small", flow="build-benchmark", recipe_id=lineage.add_recipe(recipe), code_commit="c0ffee",
                  seed=42, parameters="{}", started=STARTED)  # fmt: skip
    lineage.start_run(run)
    info = PartInfo(key="a" * 64, stage=Stage.PANEL, seed=42, run_id=run.id, code_commit="c0ffee", started=STARTED,
                    seconds=1.0)  # fmt: skip
    rows = [row for number in range(60) for row in call_rows(make_call(number, found[0]))]
    lineage.ingest([make_part(info, rows)])
    return found


def run_command(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_call_is_shown_with_what_was_asked_and_replied(replies: list[StoredReply]) -> None:
    call = make_call(7, replies[0])
    page = run_command("calls", "show", call.id[:16])
    for text in (call.id, call.item, "validate@1", "You judge.", f"[picture {'c' * 64} image/png 640x480]", "first?",
                 "Nobody can tell.", "finish reason none", "no price"):  # fmt: skip
        assert text in page
    assert "Nobody can tell. \\u001b[31mTYPE: PASS" in page


def test_a_failure_is_shown_by_the_beginning_of_its_key(replies: list[StoredReply]) -> None:
    page = run_command("calls", "show", replies[1].key[:10])
    assert "status      failed, finish reason none, HTTP 400" in page
    assert "400: too long" in page


def test_json_holds_the_record_without_base64(replies: list[StoredReply]) -> None:
    text = run_command("calls", "show", replies[0].key, "--json")
    record = json.loads(text)
    assert record["key"] == replies[0].key
    assert "[400 characters of base64]" in record["body"]
    assert SIGNATURE not in text


@pytest.mark.parametrize("name", ["0" * 64, "cal_0000000000", "rcp_"], ids=["key", "call", "short"])
def test_what_is_not_there_is_an_error(name: str, replies: list[StoredReply]) -> None:
    with pytest.raises(FlawbenchError, match="There is no"):
        run_command("calls", "show", name)


def test_a_request_that_a_replay_missed_is_compared_with_that_of_a_stored_reply(replies: list[StoredReply]) -> None:
    missed = replies[0].request.model_copy(update={"system": "You judge."[:-1]})
    with pytest.raises(FlawbenchError, match=f"There is no reply '{request_key(missed)}'"):
        run_command("calls", "why-miss", request_key(missed), replies[0].key)
    ReplyStore(Files(load_settings().objects_url)).note_missed(missed)
    told = run_command("calls", "why-miss", request_key(missed), replies[0].key)
    assert told.startswith("the system text differs from character 9 on")
    assert "same" in run_command("calls", "why-miss", replies[0].key, replies[0].key)


def test_the_list_says_how_many_more_there_are(replies: list[StoredReply]) -> None:
    shown = run_command("calls", "--build", "small")
    assert shown.splitlines()[-1] == "50 of 60 calls; --most N for more"
    assert make_call(0, replies[0]).id in run_command("calls", "--most", "60")
    assert len(json.loads(run_command("calls", "--most", "60", "--json"))) == 60


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        (("calls", "--build", "smal"), "small"),
        (("calls", "--stage", "injection"), "rewrite, inject, panel, twin"),
        (("calls", "--status", "error"), "ok, truncated, refused, empty, unparsable, failed"),
        (("cost", "smal"), "small"),
    ],
    ids=["build", "stage", "status", "cost"],
)
def test_unknown_names_are_errors_that_list_the_known_ones(
    arguments: tuple[str, ...], known: str, replies: list[StoredReply]
) -> None:
    with pytest.raises(FlawbenchError, match=known):
        run_command(*arguments)


def test_costs_are_told_in_json_with_all_lines(replies: list[StoredReply]) -> None:
    told = json.loads(run_command("cost", "small", "--json"))
    assert told["lines"][0]["calls"] == 1
    assert (told["unused_replies"], told["unused_models"]) == (0, {})
