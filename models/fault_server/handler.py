"""HTTP around the fault server. It stands on aiohttp's low-level server, without routes and middleware, since what it
costs is taken from the cores of the client under test."""

import asyncio
import json
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from aiohttp import web
from pydantic import ValidationError

from models.fault_server.journal import Entry
from models.fault_server.openai_format import write_chat_error
from models.fault_server.plan import Fault, FaultPlan
from models.fault_server.server import OPENAI, FaultServer, Format, Outcome

_NO_LINGER = struct.pack("ii", 1, 0)  # a close then sends a reset
_AT_ONCE = frozenset({400, 401, 404, 429})
_POLL_SECONDS = 0.002


class Handler:
    def __init__(self, server: FaultServer) -> None:
        self._server = server
        self._controls: dict[str, Callable[[bytes], str]] = {
            "/control/faults": self._set_plan,
            "/control/log": lambda _: json.dumps([asdict(entry) for entry in server.journal.entries]),
            "/control/counts": lambda _: server.journal.counts().model_dump_json(),
            "/control/reset": self._reset,
        }

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        data = await request.content.read()
        if path in self._controls:
            return self._control(path, data)
        entry = self._server.journal.arrive(path)
        try:
            return await self._respond(request, path, data, entry)
        finally:
            self._server.journal.leave(entry)

    def _control(self, path: str, data: bytes) -> web.Response:
        try:
            return web.Response(text=self._controls[path](data), content_type="application/json")
        except ValidationError as error:
            return web.Response(text=error.json(include_url=False), content_type="application/json", status=400)

    def _set_plan(self, data: bytes) -> str:
        self._server.set_plan(FaultPlan.model_validate_json(data))
        return "{}"

    def _reset(self, _: bytes) -> str:
        self._server.reset()
        return "{}"

    async def _respond(self, request: web.BaseRequest, path: str, data: bytes, entry: Entry) -> web.StreamResponse:
        form = _format_of(request.method, path)
        if self._wrong_key(request):
            write_error = form.write_error if form else write_chat_error
            return await self._send(request, Outcome(401, write_error(401, "Incorrect API key provided.")), entry)
        if form:
            outcome = await self._server.decide(form, path, data, entry)
            self._server.journal.note(entry)
            return await self._send(request, outcome, entry)
        if path.endswith("/models"):
            return await self._send(request, Outcome(200, {"object": "list", "data": []}), entry)
        return await self._send(request, Outcome(404, write_chat_error(404, f"There is no {path} here.")), entry)

    def _wrong_key(self, request: web.BaseRequest) -> bool:
        wanted = self._server.plan.require_key
        if wanted is None:
            return False
        sent = request.headers
        return sent.get("Authorization") != f"Bearer {wanted}" and wanted not in (
            sent.get("x-goog-api-key"),
            sent.get("x-api-key"),
        )

    async def _send(self, request: web.BaseRequest, outcome: Outcome, entry: Entry) -> web.StreamResponse:
        entry.status, entry.fault = outcome.status, outcome.fault
        plan = self._server.plan
        if plan.latency_seconds and entry.key and outcome.status not in _AT_ONCE:
            await asyncio.sleep(plan.latency_seconds)
        if outcome.status is None:
            return _reset_connection(request)
        body = json.dumps(outcome.body).encode()
        headers = {"Content-Type": "application/json", "x-request-id": f"req_{entry.number}"}
        if outcome.status == 429 and plan.retry_after is not None:
            headers["Retry-After"] = f"{plan.retry_after:g}"
        response = web.Response(body=body, status=outcome.status, headers=headers)
        try:
            await response.prepare(request)
            await response.write_eof()
            if await _drained(request):
                entry.finished = time.monotonic()
        except ConnectionError:
            return response
        return response


def _format_of(method: str, path: str) -> Format | None:
    if method == "POST" and path.endswith("/chat/completions"):
        return OPENAI
    return None


def _reset_connection(request: web.BaseRequest) -> web.Response:
    if request.transport is not None:
        connection: Any = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        request.transport.abort()
    return web.Response()


async def _drained(request: web.BaseRequest) -> bool:
    """Whether all that was written has left this process; waits for it."""
    while (transport := request.transport) is not None and not transport.is_closing():
        if not transport.get_write_buffer_size():
            return True
        await asyncio.sleep(_POLL_SECONDS)
    return False
