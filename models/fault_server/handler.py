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

from models.fault_server.echo import echo_key
from models.fault_server.formats import OPENAI, Format, format_of
from models.fault_server.journal import Entry
from models.fault_server.plan import Fault, FaultPlan
from models.fault_server.server import FaultServer, Outcome
from models.fault_server.services import Services

_NO_LINGER = struct.pack("ii", 1, 0)  # a close then sends a reset
_PAGE = b"<html><body>Nothing to see here</body></html>"
_AT_ONCE = frozenset({400, 401, 429})
_POLL_SECONDS = 0.002


class Handler:
    def __init__(self, server: FaultServer) -> None:
        self._server = server
        self._services = Services(server)
        self._controls: dict[str, Callable[[bytes], str]] = {
            "/control/faults": self._set_plan,
            "/control/log": lambda _: json.dumps([asdict(entry) for entry in server.journal.entries]),
            "/control/counts": lambda _: server.journal.counts().model_dump_json(),
            "/control/reset": self._reset,
        }

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path in self._controls:
            return self._control(path, await request.content.read())
        entry = self._server.journal.arrive(path)
        try:
            return await self._respond(request, path, entry)
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

    async def _respond(self, request: web.BaseRequest, path: str, entry: Entry) -> web.StreamResponse:
        form = format_of(path) if request.method == "POST" else None
        if self._has_wrong_key(request):
            await request.content.read()
            outcome = _refuse_key(form or OPENAI)
        elif self._server.plan.page_status is not None:
            await request.content.read()
            outcome = Outcome(self._server.plan.page_status, _PAGE)
        elif form is None:
            outcome = await self._services.respond(request)
        else:
            outcome = await self._ask(form, path, await request.content.read(), entry)
        entry.status = outcome.status
        return await self._send(request, outcome, entry)

    async def _ask(self, form: Format, path: str, data: bytes, entry: Entry) -> Outcome:
        """The latency is that of a model at work: what is turned away at once does not take it."""
        started = time.monotonic()
        try:
            body = json.loads(data)
        except ValueError as error:
            return Outcome(400, form.write_error(400, f"The body is no JSON: {error}"))
        outcome = await self._server.decide(form, path, body, entry)
        self._server.journal.note(entry)
        if outcome.status not in _AT_ONCE:
            await asyncio.sleep(max(0.0, started + self._server.plan.latency_seconds - time.monotonic()))
        return outcome

    def _has_wrong_key(self, request: web.BaseRequest) -> bool:
        wanted = self._server.plan.require_key
        return wanted is not None and wanted not in _keys_of(request)

    async def _send(self, request: web.BaseRequest, outcome: Outcome, entry: Entry) -> web.StreamResponse:
        if outcome.status is None:
            return _reset_connection(request)
        content, request_id = outcome.body, f"req_{entry.number}"
        if self._server.plan.echoes_key:
            key = "".join(_keys_of(request))
            content, request_id = echo_key(content, key), f"{request_id}_{key}"
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        kind = "text/html" if content is _PAGE else "application/json"
        headers = {"Content-Type": kind, "x-request-id": request_id}
        if outcome.status == 429 and self._server.plan.retry_after is not None:
            headers["Retry-After"] = f"{self._server.plan.retry_after:g}"
        try:
            if outcome.fault is Fault.SLOW_BODY:
                response = await _send_slowly(request, body, headers, self._server.plan.slow_body_seconds)
            else:
                response = web.Response(body=body, status=outcome.status, headers=headers)
                await response.prepare(request)
                await response.write_eof()
        except ConnectionError:
            return web.Response()  # whoever asked is gone
        if await _is_sent(request):
            entry.finished = time.monotonic()
        return response


def _keys_of(request: web.BaseRequest) -> tuple[str, ...]:
    """As the three providers send it."""
    sent = request.headers
    bearer = sent.get("Authorization", "").removeprefix("Bearer ")
    return sent.get("x-goog-api-key", ""), sent.get("x-api-key", ""), bearer


def _refuse_key(form: Format) -> Outcome:
    return Outcome(form.wrong_key, form.write_error(401, "Incorrect API key provided."))


async def _send_slowly(
    request: web.BaseRequest, body: bytes, headers: dict[str, str], seconds: float
) -> web.StreamResponse:
    response = web.StreamResponse(headers={**headers, "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    await asyncio.sleep(seconds)
    await response.write(body[len(body) // 2 :])
    await response.write_eof()
    return response


def _reset_connection(request: web.BaseRequest) -> web.Response:
    if request.transport is not None:
        connection: Any = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        request.transport.abort()
    return web.Response()


async def _is_sent(request: web.BaseRequest) -> bool:
    """Waits until all that was written has left this process; False when the connection ends before."""
    while (transport := request.transport) is not None and not transport.is_closing():
        if not transport.get_write_buffer_size():
            return True
        await asyncio.sleep(_POLL_SECONDS)
    return False
