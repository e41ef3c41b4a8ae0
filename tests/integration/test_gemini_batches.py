"""Gemini's batches beside its single requests: the same reply to the same question, and a row that is odd spoils no
other."""

import asyncio
import json
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from core.model_specs import ModelSpec, Parameters
from core.pictures import encode_png
from models.base import CallError, FailureKind, Message, ModelRequest, PicturePart, Received, TextPart
from models.batch import BatchMode
from models.batch_server import BatchServer, BatchState, make_batch_server
from models.disk import Disk
from models.fault_server.plan import FaultPlan
from models.fault_server.started import StartedFaultServer, started_fault_server
from models.providers.registry import make_provider
from storage.files import Files

pytestmark = pytest.mark.integration

KEY = "planted-key-1234567890"
PICTURE = encode_png(np.random.default_rng(1).integers(0, 256, (60, 80, 3), dtype=np.uint8))
SCHEMA = json.dumps({"type": "object", "properties": {"flaw_type": {"type": "string"}}, "required": ["flaw_type"]})


@pytest.fixture
def server() -> Generator[StartedFaultServer, None, None]:
    with started_fault_server(FaultPlan(batch_seconds=0.1, require_key=KEY)) as started:
        yield started


def spec_at(url: str) -> ModelSpec:
    return ModelSpec(provider="gemini", name="m-1", family="f", base_url=url, batch=True)


def request_of(spec: ModelSpec, *parts: TextPart | PicturePart, **changes: Any) -> ModelRequest:
    return ModelRequest(
        provider=spec.provider,
        model=spec.name,
        base_url=spec.base_url,
        system="Be exact: 请回答。",
        messages=(Message(role="user", parts=parts),),
        parameters=Parameters(max_tokens=500, temperature=0.5, seed=3),
        **changes,
    )


async def send(batches: BatchServer, requests: dict[str, ModelRequest], tag: str) -> BatchState:
    lines = [await batches.make_line(key, request, lambda _: PICTURE.data) for key, request in requests.items()]
    state = await batches.submit(lines, tag)
    while not state.ended:
        await asyncio.sleep(0.05)
        state = await batches.state(state.id)
    return state


def test_replies_of_a_batch_are_those_of_single_requests(server: StartedFaultServer) -> None:
    spec = spec_at(server.url)
    text = TextPart(text="Is it?")
    requests = {
        "text": request_of(spec, text),
        "picture": request_of(spec, text, PicturePart(picture=PICTURE.picture)),
        "schema": request_of(spec, text, reply_schema=SCHEMA, reply_name="Flaw"),
        "schema_in_prompt": request_of(spec, text, reply_schema=SCHEMA, structured="prompt"),
    }

    async def run() -> tuple[dict[str, Any], dict[str, Any]]:
        provider, batches = make_provider(spec, KEY), make_batch_server(spec, KEY)
        try:
            state = await send(batches, requests, "one")
            found = await batches.results(state.outputs)
            live = {key: await provider.ask(asked, lambda _: PICTURE.data, 30) for key, asked in requests.items()}
            assert {key: body_of(one) for key, one in found.items()} == {key: body_of(one) for key, one in live.items()}
            return body_of(found["schema"]), body_of(found["picture"])
        finally:
            await provider.close()
            await batches.close()

    schema, picture = asyncio.run(run())
    assert "flaw_type" in json.loads(schema["candidates"][0]["content"]["parts"][0]["text"])
    assert {"modality": "IMAGE", "tokenCount": 258} in picture["usageMetadata"]["promptTokensDetails"]


def test_a_batch_is_found_by_its_name_on_any_page(server: StartedFaultServer) -> None:
    spec = spec_at(server.url)

    async def run() -> tuple[BatchState | None, ...]:
        batches = make_batch_server(spec, KEY)
        try:
            sent = [await send(batches, {"a": request_of(spec, TextPart(text="a"))}, "wanted")]
            server.set(FaultPlan(batch_seconds=30, require_key=KEY))
            line = await batches.make_line("b", request_of(spec, TextPart(text="b")), lambda _: b"")
            for number in range(101):
                await batches.submit([line], f"other-{number}")
            return sent[0], await batches.find("wanted"), await batches.find("never sent")
        finally:
            await batches.close()

    sent, found, missing = asyncio.run(run())
    assert found == sent
    assert missing is None


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")  # of aiohttp, as Python does
def test_no_batch_is_larger_than_one_call_may_be(server: StartedFaultServer, tmp_path: Path) -> None:
    spec = spec_at(server.url)
    long = "words " * 400_000  # 2.4 MB
    requests = {f"row{number}": request_of(spec, TextPart(text=f"{number} {long}")) for number in range(10)}

    server.set(FaultPlan(require_key=KEY, share_permanent_400=1.0))  # to think of a reply to so much takes it long

    async def run() -> list[Received | BaseException]:
        disk = Disk()
        mode = BatchMode(spec, KEY, Files(str(tmp_path)), disk, "`models.a.batch`")
        try:
            asked = (mode.ask(key, one, lambda _: b"") for key, one in requests.items())
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await mode.close()
            disk.close()

    assert [one.kind for one in asyncio.run(run()) if isinstance(one, CallError)] == [FailureKind.PERMANENT] * 10
    assert Counter(Counter(entry.batch for entry in server.log() if entry.key).values()) == {7: 1, 3: 1}


def test_an_odd_row_fails_alone() -> None:
    """As Google writes errors, whose details the SDK cannot read, and as nobody should write replies."""
    good = {"candidates": [{"content": {"parts": [{"text": "yes"}]}, "finishReason": "STOP"}], "modelVersion": "m-1"}
    detail = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "QUOTA", "domain": "googleapis.com"}
    rows: list[Any] = [
        {"metadata": {"key": "good"}, "response": good},
        {"metadata": {"key": "busy"}, "error": {"code": 8, "message": f"wait, {KEY}", "details": [detail]}},
        {"metadata": {"key": "wrong"}, "error": {"code": 3, "message": "no such field"}},
        {"metadata": {"key": "broken"}, "error": {"code": 13, "message": "internal"}},
        {"metadata": {"key": "page"}, "response": {"page": "<html>"}},
        {"metadata": {"key": "nothing"}},
        {"response": good},
        "no row",
    ]
    batch = {
        "name": "batches/1",
        "metadata": {"state": "BATCH_STATE_SUCCEEDED", "output": {"inlinedResponses": {"inlinedResponses": rows}}},
    }
    found = {key: one for key, one in asyncio.run(results_of(batch)).items() if key}
    kinds = {key: one.kind for key, one in found.items() if isinstance(one, CallError)}
    assert kinds == {
        "busy": FailureKind.RATE,
        "wrong": FailureKind.PERMANENT,
        "broken": FailureKind.TEMPORARY,
        "page": FailureKind.TEMPORARY,
    }
    assert body_of(found["good"]) == good
    assert KEY not in str(found["busy"])


def test_a_batch_that_is_refused_says_why() -> None:
    batch = {"name": "batches/1", "metadata": {"state": "BATCH_STATE_FAILED"}, "error": {"code": 3, "message": "so"}}
    assert asyncio.run(state_of(batch)) == BatchState("batches/1", True, ("batches/1",), "so")


async def results_of(batch: dict[str, Any]) -> dict[str, Received | CallError]:
    runner, batches = await open_server(batch)
    try:
        return await batches.results(["batches/1"])
    finally:
        await batches.close()
        await runner.cleanup()


async def state_of(batch: dict[str, Any]) -> BatchState:
    runner, batches = await open_server(batch)
    try:
        return await batches.state("batches/1")
    finally:
        await batches.close()
        await runner.cleanup()


async def open_server(batch: dict[str, Any]) -> tuple[web.AppRunner, BatchServer]:
    """One that has this batch and nothing else."""

    async def give(_: web.Request) -> web.Response:
        return web.json_response(batch)

    app = web.Application()
    app.router.add_get("/v1beta/batches/1", give)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, make_batch_server(spec_at(f"http://127.0.0.1:{runner.addresses[0][1]}"), KEY)


def body_of(result: Received | CallError) -> dict[str, Any]:
    assert isinstance(result, Received), result
    return json.loads(result.body)
