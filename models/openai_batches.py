"""OpenAI's batch mode through the official SDK: a file of requests goes up, a batch is made of it, a file of replies
comes down within a day at half the price."""

import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from openai import APIConnectionError, APIStatusError, AsyncOpenAI, NotFoundError
from openai.types import Batch

from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError, FailureKind, ModelRequest, ReadPicture, Received
from models.batch_server import BatchState
from models.providers.attachments import encode_pictures
from models.providers.chat_format import chat_body, parse_chat
from models.providers.faults import clean_message, connection_error, status_error
from models.providers.key_masking import NO_KEY, mask_key

ENDPOINT = "/v1/chat/completions"
TAG = "flawbench"
"""Key of the metadata under which a batch carries our name for it."""
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
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
            max_retries=2,
            timeout=_TIMEOUT_SECONDS,
        )

    async def make_line(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> bytes:
        body = chat_body(request, await encode_pictures(request, read_picture))
        head = json.dumps({"custom_id": key, "method": "POST", "url": ENDPOINT}, separators=(",", ":"))
        return head[:-1].encode() + b',"body":' + body + b"}\n"

    async def submit(self, lines: Sequence[bytes], tag: str) -> BatchState:
        with self._translated():
            file = await self._client.files.create(file=(f"{tag}.jsonl", b"".join(lines)), purpose="batch")
            # Not tried again by the SDK: it may be made although no answer arrives, and would be paid twice.
            batch = await self._client.with_options(max_retries=0).batches.create(
                completion_window="24h", endpoint=ENDPOINT, input_file_id=file.id, metadata={TAG: tag}
            )
        return self._state(batch)

    async def find(self, tag: str) -> BatchState | None:
        with self._translated():
            async for batch in self._client.batches.list(limit=100):
                if (batch.metadata or {}).get(TAG) == tag:
                    return self._state(batch)
        return None

    async def state(self, batch_id: str) -> BatchState:
        with self._translated():
            return self._state(await self._client.batches.retrieve(batch_id))

    async def results(self, outputs: Iterable[str]) -> dict[str, Received | CallError]:
        found: dict[str, Received | CallError] = {}
        for file_id in outputs:
            with self._translated(), suppress(NotFoundError):  # the provider deletes them after a month
                content = await self._client.files.content(file_id)
                # Not splitlines: a reply may hold the line ends of Unicode.
                found |= dict(self._read_line(line) for line in content.content.split(b"\n") if line.strip())
        return found

    async def close(self) -> None:
        await self._client.close()

    def _read_line(self, line: bytes) -> tuple[str, Received | CallError]:
        """A line that is none is of no row, so that its row counts as one that the batch did not come to."""
        try:
            text = mask_key(line.decode("utf-8", errors="replace"), self._key)
            row: dict[str, Any] = json.loads(text)
            return str(row["custom_id"]), self._read(row, text)
        except (ValueError, TypeError, KeyError) as error:
            return "", CallError(FailureKind.TEMPORARY, f"A line of the batch is no result: {type(error).__name__}")

    def _read(self, row: Mapping[str, Any], text: str) -> Received | CallError:
        response: dict[str, Any] | None = row.get("response")
        if response is None:
            said = str((row.get("error") or {}).get("message", "no response"))
            told = clean_message(said, self._key)
            return CallError(FailureKind.TEMPORARY, f"The batch did not come to this row: {told}")
        if response["status_code"] == 200:
            body = _as_received(response["body"], text)
            try:
                parse_chat(body)
            except ValueError:
                said = "The batch has a body for this row that is no reply."
                return CallError(FailureKind.TEMPORARY, said, maybe_billed=True)
            return Received(body, response.get("request_id"))
        error: dict[str, Any] = (response.get("body") or {}).get("error") or {}
        codes = {str(error[name]) for name in ("code", "type") if error.get(name)}
        return status_error(response["status_code"], str(error.get("message", "")), codes, {}, self._key)

    @contextmanager
    def _translated(self) -> Generator[None, None, None]:
        """Around requests: raises CallError for every failure of them."""
        try:
            yield
        except APIConnectionError as error:
            raise connection_error(error, self._key) from None
        except APIStatusError as error:
            codes = {name for name in (error.code, error.type) if name}
            headers = error.response.headers
            raise status_error(error.status_code, error.message, codes, headers, self._key) from None

    def _state(self, batch: Batch) -> BatchState:
        outputs = tuple(file for file in (batch.output_file_id, batch.error_file_id) if file)
        said = [error.message for error in (batch.errors.data or [] if batch.errors else []) if error.message]
        refused = clean_message("; ".join(said), self._key) or "no reason given" if batch.status == "failed" else None
        return BatchState(batch.id, batch.status in _ENDED, outputs, refused)


def _as_received(body: object, line: str) -> str:
    """The text of `body` in the line that holds it. A key in JSON is never part of a text: its quotes are escaped
    there."""
    for key in _BODY.finditer(line):
        found, end = _DECODER.raw_decode(line, key.end())
        if found == body:
            return line[key.end() : end]
    return json.dumps(body, ensure_ascii=False)
