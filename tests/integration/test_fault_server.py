"""The fault server as the real SDKs see it, and what its log says afterwards."""

import asyncio
import base64
import io
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import anthropic
import numpy as np
import openai
import pytest
from google import genai
from google.genai import errors as genai_errors
from google.genai import types
from PIL import Image
from pydantic import ValidationError

from models.fault_server.journal import read_log
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server

pytestmark = pytest.mark.integration

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"enum": ["yes", "no"]}, "reason": {"type": "string", "maxLength": 20}},
    "required": ["verdict", "reason"],
    "additionalProperties": False,
}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}}
ROWS = range(60)
PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def running() -> Iterator[StartedFaultServer]:
    with started_fault_server() as server:
        yield server


@pytest.fixture
def server(running: StartedFaultServer) -> StartedFaultServer:
    running.set(FaultPlan())
    running.reset()
    return running


@pytest.fixture
def client(server: StartedFaultServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=0, timeout=10) as client:
        yield client


@pytest.fixture
def gemini(server: StartedFaultServer) -> Iterator[genai.Client]:
    with genai.Client(api_key="k", http_options=types.HttpOptions(base_url=server.url)) as client:
        yield client


def ask(client: openai.OpenAI, text: str, **more: Any) -> Any:
    messages: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    return client.chat.completions.create(model="m-1", messages=messages, **more)


def png(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "PNG")
    return made.getvalue()


def test_a_chat_completion_is_answered_and_logged(client: openai.OpenAI, server: StartedFaultServer) -> None:
    before = time.monotonic()
    reply = ask(client, "one two three")
    entry = server.log()[0]
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.prompt_tokens == 5
    assert reply.usage.completion_tokens == len(reply.choices[0].message.content.split())
    assert (entry.path, entry.model, entry.turns, entry.status) == ("/v1/chat/completions", "m-1", 0, 200)
    assert before <= entry.arrived <= (entry.finished or 0) <= time.monotonic()


def test_the_same_request_gets_the_same_bytes(client: openai.OpenAI) -> None:
    assert ask(client, "again") == ask(client, "again")
    assert ask(client, "again").id != ask(client, "another").id


def test_chinese_characters_count_one_token_each(client: openai.OpenAI) -> None:
    assert ask(client, "求三角形 ABC").usage.prompt_tokens == 2 + 2 + 4


def test_a_reply_fits_the_schema(client: openai.OpenAI) -> None:
    said = json.loads(ask(client, "x", response_format=FORMAT).choices[0].message.content)
    assert said["verdict"] == "yes"
    assert 0 < len(said["reason"]) <= 20


def test_a_schema_written_into_the_system_text_is_kept_to(client: openai.OpenAI) -> None:
    system = f"Reply with one JSON object that fits this JSON schema, and with nothing else:\n{json.dumps(SCHEMA)}"
    messages: Any = [{"role": "system", "content": system}, {"role": "user", "content": "x"}]
    reply = client.chat.completions.create(model="m", messages=messages)
    assert json.loads(reply.choices[0].message.content or "")["verdict"] == "yes"


def test_reasoning_is_counted_where_it_is_asked_for(client: openai.OpenAI) -> None:
    plain, thinking = ask(client, "x"), ask(client, "x", reasoning_effort="low")
    assert plain.usage.completion_tokens_details.reasoning_tokens == 0
    reasoning = thinking.usage.completion_tokens_details.reasoning_tokens
    assert reasoning > 0
    assert thinking.usage.completion_tokens == plain.usage.completion_tokens + reasoning


def test_pictures_belong_to_the_key_of_a_row(client: openai.OpenAI, server: StartedFaultServer) -> None:
    for colour in ("red", "blue"):
        data = base64.b64encode(png(Image.new("RGB", (9, 9), colour))).decode()
        parts = [
            {"type": "text", "text": "x"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        ]
        messages: Any = [{"role": "user", "content": parts}]
        client.chat.completions.create(model="m", messages=messages)
    assert len({entry.key for entry in server.log()}) == 2


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        pytest.param({"share_rate_limited_once": 1}, openai.RateLimitError, id="429"),
        pytest.param({"share_500_once": 1}, openai.InternalServerError, id="500"),
        pytest.param({"share_503_once": 1}, openai.InternalServerError, id="503"),
        pytest.param({"share_reset_once": 1}, openai.APIConnectionError, id="reset"),
    ],
)
def test_a_row_fails_once_and_is_then_answered(
    client: openai.OpenAI, server: StartedFaultServer, plan: dict[str, float], error: type[Exception]
) -> None:
    server.set(FaultPlan.model_validate(plan))
    with pytest.raises(error):
        ask(client, "a")
    ask(client, "a")
    with pytest.raises(error):
        ask(client, "b")
    assert server.counts().asked == 3
    assert server.counts().replies == 1
    assert len({entry.key for entry in server.log()}) == 2


def test_a_permanent_fault_stays(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_permanent_400=1))
    for _ in range(2):
        with pytest.raises(openai.BadRequestError):
            ask(client, "a")
    assert server.counts().statuses == {"400": 2}


def test_a_wrong_key_is_refused_and_counted(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(require_key="right"))
    with pytest.raises(openai.AuthenticationError):
        ask(client, "a")
    assert [(entry.status, entry.key) for entry in server.log()] == [(401, None)]
    assert (server.counts().asked, server.counts().replies, server.counts().statuses) == (1, 0, {"401": 1})
    ask(client.with_options(api_key="right"), "a")


@pytest.mark.parametrize(("seconds", "header"), [(3.0, "3"), (None, None)], ids=["with", "without"])
def test_retry_after_is_sent_as_planned(
    client: openai.OpenAI, server: StartedFaultServer, seconds: float | None, header: str | None
) -> None:
    server.set(FaultPlan(share_rate_limited_once=1, retry_after=seconds))
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client, "a")
    assert caught.value.response.headers.get("retry-after") == header


def test_what_passes_the_rate_is_turned_away(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(requests_per_second=5))
    started = time.monotonic()
    for number in range(25):
        try:
            ask(client, str(number))
        except openai.RateLimitError:
            continue
    allowed = 5 + 5 * (time.monotonic() - started)
    assert 5 <= server.counts().replies <= allowed + 1
    assert server.counts().statuses["429"] == 25 - server.counts().replies


def test_a_reply_is_cut_only_below_the_given_limit(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_truncated=1, truncated_below=100))
    assert ask(client, "a", max_tokens=99).choices[0].finish_reason == "length"
    assert ask(client, "a", max_completion_tokens=100).choices[0].finish_reason == "stop"


def test_a_refusal_and_an_empty_reply_are_told_apart(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_refusal=1))
    refused = ask(client, "a").choices[0].message
    server.set(FaultPlan(share_empty=1))
    empty = ask(client, "a").choices[0].message
    assert (refused.content, bool(refused.refusal)) == (None, True)
    assert (empty.content, empty.refusal) == ("", None)


@pytest.mark.parametrize("fault", ["malformed_json", "wrong_schema", "duplicated_keys"])
def test_json_is_spoiled_until_the_talk_goes_on(client: openai.OpenAI, server: StartedFaultServer, fault: str) -> None:
    server.set(FaultPlan.model_validate({f"share_{fault}": 1}))
    first = ask(client, "a", response_format=FORMAT).choices[0].message.content
    if fault == "malformed_json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(first)
    elif fault == "wrong_schema":
        assert not json.loads(first).keys() & SCHEMA["properties"].keys()
    else:
        names = json.loads(first, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
        assert names == ["verdict", "reason", "verdict"]
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": first},
        {"role": "user", "content": "That does not fit the schema."},
    ]
    mended = client.chat.completions.create(model="m-1", messages=messages, response_format=FORMAT)
    assert json.loads(mended.choices[0].message.content or "").keys() == SCHEMA["properties"].keys()
    assert [(entry.turns, entry.fault) for entry in server.log()] == [(0, fault), (1, None)]
    assert len({entry.key for entry in server.log()}) == 1


def test_a_slow_body_takes_its_time_after_the_headers(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_slow_body=1, slow_body_seconds=1))
    started = time.monotonic()
    with client.chat.completions.with_streaming_response.create(
        model="m", messages=[{"role": "user", "content": "a"}]
    ) as response:
        headers = time.monotonic() - started
        response.json()
    assert headers < 0.8 < 1 <= time.monotonic() - started


def test_a_client_that_goes_away_leaves_an_entry_that_was_not_finished(
    client: openai.OpenAI, server: StartedFaultServer
) -> None:
    server.set(FaultPlan(latency_seconds=0.6))
    with pytest.raises(openai.APITimeoutError):
        ask(client.with_options(timeout=0.2), "a")
    time.sleep(0.7)
    assert [(entry.status, entry.finished) for entry in server.log()] == [(200, None)]
    assert server.counts().replies == 0


def test_another_model_is_reported(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(wrong_model_name="other"))
    assert ask(client, "a").model == "other"


def test_a_row_belongs_to_its_class_in_any_order(client: openai.OpenAI, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_permanent_400=0.3, share_refusal=0.3))

    def run(numbers: list[int]) -> dict[str | None, str | None]:
        server.reset()
        for number in numbers:
            try:
                ask(client, str(number))
            except openai.BadRequestError:
                continue
        return {entry.key: entry.fault for entry in server.log()}

    forwards = run(list(ROWS))
    assert run(list(reversed(ROWS))) == forwards
    faults = list(forwards.values())
    assert 8 <= faults.count("permanent_400") <= 28
    assert 8 <= faults.count("refusal") <= 28


def test_shares_over_the_whole_are_refused() -> None:
    with pytest.raises(ValidationError, match="more than 1"):
        FaultPlan(share_empty=0.6, share_refusal=0.6)


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'{"model": "m"}', b'{"model": "m", "messages": []}'], ids=["cut", "list", "none", "empty"]
)
def test_what_is_no_request_is_refused(server: StartedFaultServer, body: bytes) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server.url}/v1/chat/completions", body)
    caught.value.close()
    assert caught.value.code == 400


def test_a_thousand_connections_at_once_are_answered_in_one_latency(server: StartedFaultServer) -> None:
    server.set(FaultPlan(latency_seconds=0.5))

    async def burst() -> list[int]:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def one(number: int) -> int:
                body = {"model": "m", "messages": [{"role": "user", "content": f"{number}"}]}
                async with session.post(f"{server.url}/v1/chat/completions", json=body) as reply:
                    await reply.read()
                    return reply.status

            return await asyncio.gather(*(one(number) for number in range(1000)))

    assert set(asyncio.run(burst())) == {200}
    counts = server.counts()
    assert (counts.asked, counts.replies, counts.rows, counts.repeated) == (1000, 1000, 1000, 0)
    assert counts.peak_open > 500
    assert counts.cpu_seconds < 1000 * 0.0006


def test_gemini_answers_with_a_schema_and_counts(gemini: genai.Client, server: StartedFaultServer) -> None:
    config = types.GenerateContentConfig(
        system_instruction="Be brief.",
        response_mime_type="application/json",
        response_json_schema=SCHEMA,
        thinking_config=types.ThinkingConfig(thinking_budget=64),
    )
    reply = gemini.models.generate_content(model="gemini-x", contents="one two three", config=config)
    assert json.loads(reply.text or "")["verdict"] == "yes"
    assert (reply.model_version, bool(reply.response_id)) == ("gemini-x", True)
    assert reply.usage_metadata
    assert reply.usage_metadata.prompt_token_count == 5
    assert reply.usage_metadata.thoughts_token_count
    assert server.log()[0].model == "gemini-x"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_gemini_sends_back_the_picture_with_a_rectangle_recoloured(gemini: genai.Client, mode: str) -> None:
    given = Image.new("RGB", (200, 100), (90, 140, 200)).convert(mode)
    part = types.Part.from_bytes(data=png(given), mime_type="image/png")
    reply = gemini.models.generate_content(model="gemini-flash-image", contents=[part, "Make it red."])
    assert reply.candidates
    assert reply.candidates[0].content
    made = [part.inline_data for part in reply.candidates[0].content.parts or [] if part.inline_data]
    assert made[0].mime_type == "image/png"
    edited = Image.open(io.BytesIO(made[0].data or b""))
    assert edited.size == given.size
    before, after = (np.asarray(picture.convert("RGB"), dtype=int) for picture in (given, edited))
    changed = np.abs(before - after).max(axis=2) > 60
    assert 0.12 < changed.mean() < 0.18
    rows, columns = np.nonzero(changed)
    assert changed[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1].all()


@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"no picture", "decoded"), (None, "no picture to edit")],
    ids=["broken", "absent"],
)
def test_gemini_refuses_to_edit_what_is_no_picture(gemini: genai.Client, data: bytes | None, problem: str) -> None:
    parts: list[Any] = ["Make it red."]
    if data:
        parts.append(types.Part.from_bytes(data=data, mime_type="image/png"))
    with pytest.raises(genai_errors.ClientError, match=problem):
        gemini.models.generate_content(model="gemini-flash-image", contents=parts)


def test_gemini_faults_have_geminis_form(gemini: genai.Client, server: StartedFaultServer) -> None:
    server.set(FaultPlan(share_refusal=1))
    blocked = gemini.models.generate_content(model="g", contents="a")
    assert blocked.prompt_feedback
    assert blocked.prompt_feedback.block_reason == "SAFETY"
    server.set(FaultPlan(share_truncated=1))
    cut = gemini.models.generate_content(model="g", contents="a")
    assert cut.candidates
    assert cut.candidates[0].finish_reason == "MAX_TOKENS"
    server.set(FaultPlan(requests_per_second=0.001))
    gemini.models.generate_content(model="g", contents="a")
    with pytest.raises(genai_errors.ClientError, match="RESOURCE_EXHAUSTED"):
        gemini.models.generate_content(model="g", contents="a")
    server.set(FaultPlan(require_key="right"))
    with pytest.raises(genai_errors.ClientError, match="API_KEY_INVALID"):
        gemini.models.generate_content(model="g", contents="a")


def test_anthropic_answers_with_text_with_a_schema_and_with_a_tool(server: StartedFaultServer) -> None:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:

        def say(**more: Any) -> anthropic.types.Message:
            messages: Any = [{"role": "user", "content": "one two three"}]
            return client.messages.create(model="c", max_tokens=50, system="Be brief.", messages=messages, **more)

        plain = say()
        assert (plain.stop_reason, plain.usage.input_tokens) == ("end_turn", 5)
        formatted = say(output_config={"format": {"type": "json_schema", "schema": SCHEMA}})
        assert isinstance(formatted.content[0], anthropic.types.TextBlock)
        assert json.loads(formatted.content[0].text)["verdict"] == "yes"
        tool = {"name": "reply", "input_schema": SCHEMA}
        used = say(tools=[tool], tool_choice={"type": "tool", "name": "reply"})
        assert isinstance(used.content[0], anthropic.types.ToolUseBlock)
        assert used.content[0].input["verdict"] == "yes"
        server.set(FaultPlan(share_refusal=1))
        assert say().stop_reason == "refusal"
        server.set(FaultPlan(share_503_once=1))
        with pytest.raises(anthropic.InternalServerError):
            say()


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_openai_batch_is_done_after_a_while_with_errors_apart(
    client: openai.OpenAI, server: StartedFaultServer
) -> None:
    server.set(FaultPlan(batch_seconds=0.3, share_permanent_400=0.3))
    lines: list[dict[str, Any]] = [
        {
            "custom_id": f"row-{number}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "m", "messages": [{"role": "user", "content": f"question {number}"}]},
        }
        for number in ROWS
    ]
    data = "\n".join(json.dumps(line) for line in lines).encode()
    file = client.files.create(file=("rows.jsonl", data), purpose="batch")
    assert client.files.content(file.id).read() == data
    tags = {"run": "abc"}
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata=tags
    )
    assert batch.status == "in_progress"
    assert [found.id for found in client.batches.list() if found.metadata == tags] == [batch.id]
    wait_until(lambda: client.batches.retrieve(batch.id).status == "completed")
    done = client.batches.retrieve(batch.id)
    good = [json.loads(line) for line in client.files.content(done.output_file_id or "").iter_lines()]
    bad = [json.loads(line) for line in client.files.content(done.error_file_id or "").iter_lines()]
    assert {line["custom_id"] for line in good + bad} == {line["custom_id"] for line in lines}
    assert {line["response"]["status_code"] for line in bad} == {400}
    assert done.request_counts
    assert (done.request_counts.completed, done.request_counts.failed) == (len(good), len(bad))
    entries = [entry for entry in server.log() if entry.batch == batch.id]
    assert len(entries) == server.counts().asked == len(lines)
    assert server.counts().replies == len(good)


def test_openai_batches_are_listed_page_by_page_and_can_be_cancelled(
    client: openai.OpenAI, server: StartedFaultServer
) -> None:
    server.set(FaultPlan(batch_seconds=30))
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    line = json.dumps({"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": body}).encode()
    file = client.files.create(file=("rows.jsonl", line), purpose="batch")
    made = [
        client.batches.create(input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h").id
        for _ in range(3)
    ]
    assert [batch.id for batch in client.batches.list(limit=2)][:3] == made[::-1]
    assert client.batches.cancel(made[0]).status == "cancelled"
    assert client.batches.retrieve(made[0]).status == "cancelled"
    with pytest.raises(openai.NotFoundError):
        client.batches.retrieve("batch_unknown")
    twice = client.files.create(file=("rows.jsonl", line + b"\n" + line), purpose="batch")
    with pytest.raises(openai.BadRequestError, match="twice"):
        client.batches.create(input_file_id=twice.id, endpoint="/v1/chat/completions", completion_window="24h")


def test_a_gemini_batch_is_done_after_a_while(gemini: genai.Client, server: StartedFaultServer) -> None:
    server.set(FaultPlan(batch_seconds=0.2, share_permanent_400=0.3))
    requests = [
        types.InlinedRequest(
            contents=[types.Content(role="user", parts=[types.Part(text=f"question {number}")])],
            metadata={"row": str(number)},
            config=types.GenerateContentConfig(system_instruction="Be brief."),
        )
        for number in ROWS
    ]
    job = gemini.batches.create(model="gemini-x", src=requests, config={"display_name": "run-1"})
    assert job.name
    assert [found.name for found in gemini.batches.list() if found.display_name == "run-1"] == [job.name]
    wait_until(lambda: gemini.batches.get(name=job.name or "").state == types.JobState.JOB_STATE_SUCCEEDED)
    done = gemini.batches.get(name=job.name)
    assert done.dest
    replies = done.dest.inlined_responses or []
    assert [(reply.metadata or {})["row"] for reply in replies] == [str(number) for number in ROWS]
    bad = [reply for reply in replies if reply.error]
    assert 8 <= len(bad) <= 28
    assert all(reply.response and reply.response.text for reply in replies if not reply.error)
    assert {entry.model for entry in server.log() if entry.batch} == {"gemini-x"}
    server.set(FaultPlan(batch_seconds=30))
    late = gemini.batches.create(model="gemini-x", src=requests)
    gemini.batches.cancel(name=late.name or "")
    assert gemini.batches.get(name=late.name or "").state == types.JobState.JOB_STATE_CANCELLED


def test_the_log_file_survives_the_server(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with started_fault_server(FaultPlan(latency_seconds=30), log=path) as server:
        connection = urllib.request.Request(
            f"{server.url}/v1/chat/completions",
            json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode(),
        )
        with pytest.raises(OSError, match="timed out"):
            urllib.request.urlopen(connection, timeout=0.5)
        os.kill(server.pid, signal.SIGKILL)
    entries = read_log(path)
    assert [(entry.model, entry.status, entry.finished) for entry in entries] == [("m", 200, None)]


def test_a_server_ends_with_the_process_that_started_it() -> None:
    code = (
        "import sys, time\n"
        "from models.fault_server.started import started_fault_server\n"
        "with started_fault_server() as server:\n"
        "    sys.stdout.write(f'{server.pid}\\n')\n"
        "    sys.stdout.flush()\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        server = Path(f"/proc/{int(parent.stdout.readline())}")
        assert server.exists()
        parent.kill()
    wait_until(lambda: not server.exists())


def test_a_started_server_is_gone_at_the_end() -> None:
    with started_fault_server() as server:
        pid = server.pid
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists()
