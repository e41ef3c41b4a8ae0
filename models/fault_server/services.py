"""What is asked besides replies: files, batches and lists of models. Gemini's requests are known by their header."""

import json
import sys
from typing import Any

from aiohttp import BodyPartReader, web

from models.fault_server.batches import BatchDesk
from models.fault_server.gemini_batches import GeminiBatches
from models.fault_server.gemini_format import write_generate_error
from models.fault_server.openai_batches import OpenAIBatches
from models.fault_server.openai_format import write_chat_error
from models.fault_server.server import FaultServer, Outcome

_PAGE = 20
_NOTHING = 404
_TOO_LARGE = 413
_GEMINI_MOST_BYTES = 20_000_000
_ANY_SIZE = sys.maxsize  # what is too large, the plan says


class Services:
    def __init__(self, server: FaultServer) -> None:
        desk = BatchDesk(server)
        self._server = server
        self._openai = OpenAIBatches(desk)
        self._gemini = GeminiBatches(desk)

    async def respond(self, request: web.BaseRequest) -> Outcome:
        path = request.path
        if request.method == "POST" and path.endswith("/files"):
            return await self._upload(request)
        data = await request.content.read()
        try:
            body = json.loads(data) if data else {}
        except json.JSONDecodeError as error:
            return Outcome(400, write_chat_error(400, f"The body is no JSON: {error}"))
        if path.endswith("/models") and request.method == "GET":
            return Outcome(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        if "/models/" in path and request.method == "GET":
            return self._find_model(path.partition("/models/")[2])
        if "x-goog-api-key" in request.headers:
            if len(data) > _GEMINI_MOST_BYTES:
                return Outcome(400, write_generate_error(400, "Request payload size exceeds the limit: 20 MB."))
            if len(data) > self._server.plan.batch_bytes:
                return Outcome(_TOO_LARGE, write_generate_error(_TOO_LARGE, "Request entity too large."))
            return self._ask_gemini(request, path, body)
        return self._ask_openai(request, path, body)

    def _find_model(self, name: str) -> Outcome:
        if name in self._server.plan.unknown_models:
            return Outcome(_NOTHING, write_chat_error(_NOTHING, f"The model `{name}` does not exist."))
        return Outcome(200, {"id": name, "object": "model"})

    def _ask_openai(self, request: web.BaseRequest, path: str, body: dict[str, Any]) -> Outcome:
        match request.method, path.split("/")[-3:]:
            case "GET", ["files", file_id, "content"]:
                return self._openai.content(file_id)
            case "POST", [*_, "batches"]:
                return self._openai.create(body)
            case "GET", [*_, "batches"]:
                return self._openai.list(request.query.get("after"), int(request.query.get("limit", _PAGE)))
            case "GET", [*_, "batches", batch_id]:
                return self._openai.get(batch_id)
            case "POST", ["batches", batch_id, "cancel"]:
                return self._openai.cancel(batch_id)
            case _:
                return Outcome(_NOTHING, write_chat_error(_NOTHING, f"There is no {request.method} {path} here."))

    def _ask_gemini(self, request: web.BaseRequest, path: str, body: dict[str, Any]) -> Outcome:
        match request.method, path.split("/")[-2:]:
            case "POST", [_, last] if last.endswith(":batchGenerateContent"):
                return self._gemini.create(path, body)
            case "GET", [*_, "batches"]:
                return self._gemini.list(request.query.get("pageToken"), int(request.query.get("pageSize", _PAGE)))
            case "GET", ["batches", batch_id]:
                return self._gemini.get(batch_id)
            case "POST", ["batches", batch_id] if batch_id.endswith(":cancel"):
                return self._gemini.cancel(batch_id.removesuffix(":cancel"))
            case _:
                return Outcome(_NOTHING, write_chat_error(_NOTHING, f"There is no {request.method} {path} here."))

    async def _upload(self, request: web.BaseRequest) -> Outcome:
        data, name, purpose = b"", "", ""
        async for part in await request.clone(client_max_size=_ANY_SIZE).multipart():
            if isinstance(part, BodyPartReader) and part.name == "file":
                data, name = bytes(await part.read()), part.filename or ""
            elif isinstance(part, BodyPartReader) and part.name == "purpose":
                purpose = await part.text()
        if len(data) > self._server.plan.batch_bytes:
            return Outcome(_TOO_LARGE, write_chat_error(_TOO_LARGE, "The file is too large."))
        return self._openai.upload(data, name, purpose)
