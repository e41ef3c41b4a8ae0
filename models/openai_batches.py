"""OpenAI's batch mode through the official SDK: a file of requests goes up, a batch is made of it, a file of replies
comes down within a day at half the price."""

import json
import re
from collections.abc import Iterable, Sequence

from openai import AsyncOpenAI
from openai.types import Batch

from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError, FailureKind, ModelRequest, ReadPicture, Received
from models.batch_server import BatchState
from models.providers.attachments import encode_pictures
from models.providers.bodies import Wire
from models.providers.chat_format import chat_body, parse_chat
from models.providers.faults import clean_message, status_error
from models.providers.key_masking import NO_KEY, mask_key
from models.providers.openai_errors import translate_openai
from models.providers.sdk_calls import call_sdk

ENDPOINT = "/v1/chat/completions"
TAG = "flawbench"
"""Key of the metadata under which a batch carries our name for it."""
_WHOLE = "completed"
_ENDED = frozenset({_WHOLE, "failed", "expired", "cancelled"})
_TIMEOUT_SECONDS = 600.0
_BODY = re.compile(r'"body"\s*:\s*')
_DECODER = json.JSONDecoder()
_MOST_BYTES = 90_000_000  # of the 200 MB that a file may have


class OpenAIBatches:
    """As models.batch_server.BatchServer. `outputs` are the ids of the files with replies and with errors."""

    most_bytes = _MOST_BYTES

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._key = key
        self._client = AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=spec.base_url or PROVIDER_SERVERS["openai"],
            max_retries=0,
            timeout=_TIMEOUT_SECONDS,
        )

    async def make_line(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> bytes:
        body = chat_body(request, await encode_pictures(request, read_picture))
        head = json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT}, separators=(",", ":"))
        return head[:-1].encode() + b',"body":' + body + b"}\n"

    async def submit(self, lines: Sequence[bytes], tag: str) -> BatchState:
        return self._state(await call_sdk(self._create(lines, tag), translate_openai, self._key))

    async def find(self, tag: str) -> BatchState | None:
        found = await call_sdk(self._find(tag), translate_openai, self._key)
        return self._state(found) if found else None

    async def state(self, batch_id: str) -> BatchState:
        return self._state(await call_sdk(self._client.batches.retrieve(batch_id), translate_openai, self._key))

    async def results(self, outputs: Iterable[str]) -> dict[str, Received | CallError]:
        found: dict[str, Received | CallError] = {}
        for file_id in outputs:
            content = await call_sdk(self._read_file(file_id), translate_openai, self._key)
            # Not splitlines: a reply may hold the line ends of Unicode.
            found |= dict(self._read_line(line) for line in content.split(b"\n") if line.strip())
        return found

    async def close(self) -> None:
        await self._client.close()

    async def _create(self, lines: Sequence[bytes], tag: str) -> Batch:
        file = await self._client.files.create(file=(f"{tag}.jsonl", b"".join(lines)), purpose="batch")
        return await self._client.batches.create(
            completion_window="24h", endpoint=ENDPOINT, input_file_id=file.id, metadata={TAG: tag}
        )

    async def _find(self, tag: str) -> Batch | None:
        async for batch in self._client.batches.list(limit=100):
            if (batch.metadata or {}).get(TAG) == tag:
                return batch
        return None

    async def _read_file(self, file_id: str) -> bytes:
        return (await self._client.files.content(file_id)).content

    def _read_line(self, line: bytes) -> tuple[str, Received | CallError]:
        """A line that is none is of no row."""
        try:
            text = mask_key(line.decode("utf-8", errors="replace"), self._key)
            row = _Row.model_validate(json.loads(text))
            return row.custom_id, self._read(row, text)
        except (ValueError, RecursionError) as error:
            return "", CallError(FailureKind.TEMPORARY, f"A line of the batch is no result: {type(error).__name__}")

    def _read(self, row: "_Row", text: str) -> Received | CallError:
        response = row.response
        if response is None:
            told = clean_message(row.error.message if row.error else "no response", self._key)
            return CallError(FailureKind.TEMPORARY, f"The batch did not come to this row: {told}")
        if response.status_code == 200:
            body = _as_received(response.body, text)
            try:
                parse_chat(body)
            except ValueError:
                said = "The batch has a body for this row that is no reply."
                return CallError(FailureKind.TEMPORARY, said, maybe_billed=True)
            return Received(body, str(response.request_id) if response.request_id else None)
        error = _ErrorBody.model_validate(response.body or {}).error or _Error()
        codes = {str(name) for name in (error.code, error.type) if name}
        return status_error(response.status_code, error.message, codes, {}, self._key)

    def _state(self, batch: Batch) -> BatchState:
        outputs = tuple(file for file in (batch.output_file_id, batch.error_file_id) if file)
        said = [error.message for error in (batch.errors.data or [] if batch.errors else []) if error.message]
        refused = clean_message("; ".join(said), self._key) or "no reason given" if batch.status == "failed" else None
        return BatchState(batch.id, batch.status in _ENDED, outputs, refused, batch.status == _WHOLE)


def _as_received(body: object, line: str) -> str:
    """The text of `body` in the line that holds it. A key in JSON is never part of a text: its quotes are escaped
    there."""
    for key in _BODY.finditer(line):
        found, end = _DECODER.raw_decode(line, key.end())
        if found == body:
            return line[key.end() : end]
    return json.dumps(body, ensure_ascii=False)


class _Error(Wire):
    message: str = ""
    code: object = None
    type: object = None


class _ErrorBody(Wire):
    error: _Error | None = None


class _Response(Wire):
    status_code: int
    body: object = None
    request_id: object = None


class _Row(Wire):
    custom_id: str
    response: _Response | None = None
    error: _Error | None = None
