"""Files and batches, as the SDKs see them."""

import json
from collections.abc import Callable
from typing import Any

import openai
import pytest
from google import genai
from google.genai import types

from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer

pytestmark = pytest.mark.integration

ROWS = range(60)


def test_an_openai_batch_is_done_after_a_while_with_errors_apart(
    client: openai.OpenAI, server: StartedFaultServer, wait_for: Callable[[Callable[[], bool], float], None]
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
    wait_for(lambda: client.batches.retrieve(batch.id).status == "completed", 10)
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


def test_files_are_as_large_as_the_plan_allows(client: openai.OpenAI, server: StartedFaultServer) -> None:
    data = b"x" * 3_000_000
    server.set(FaultPlan())
    file = client.files.create(file=("rows.jsonl", data), purpose="batch")
    assert client.files.content(file.id).read() == data
    server.set(FaultPlan(batch_bytes=len(data) - 1))
    with pytest.raises(openai.APIStatusError, match="413"):
        client.files.create(file=("rows.jsonl", data), purpose="batch")


def test_a_gemini_batch_is_done_after_a_while(
    gemini: genai.Client, server: StartedFaultServer, wait_for: Callable[[Callable[[], bool], float], None]
) -> None:
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
    wait_for(lambda: gemini.batches.get(name=job.name or "").state == types.JobState.JOB_STATE_SUCCEEDED, 10)
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
