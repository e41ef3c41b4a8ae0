"""Gemini's batch mode: requests go up inside one call of google-genai, and their replies come down inside the batch,
within a day at half the price. https://ai.google.dev/api/batch-api"""

import json
from collections.abc import Iterable, Sequence

from aiohttp import ClientSession
from google import genai
from google.genai import errors, types
from pydantic import ValidationError

from core.model_specs import ModelSpec
from models.base import CallError, FailureKind, ModelRequest, ReadPicture, Received
from models.batch_server import BatchState
from models.providers.attachments import encode_pictures
from models.providers.bodies import CamelWire, Wire
from models.providers.content_format import content_body, receive_content
from models.providers.faults import clean_message, status_error
from models.providers.gemini_client import API_VERSION, GeminiClient
from models.providers.key_masking import NO_KEY, mask_key

_MOST_BYTES = 19_000_000  # of the 20 MB that a call may have: the rest is for what stands round the rows
_KEY = "key"
_WHOLE = "SUCCEEDED"
_ENDED = frozenset({_WHOLE, "FAILED", "CANCELLED", "EXPIRED"})
_TIMEOUT_SECONDS = 600.0
_PAGE = 100
_HTTP_STATUS = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 11: 400, 16: 401}
"""By the code of google.rpc.Code, which errors of rows have. The other codes are failures that may pass."""


class GeminiBatches:
    """As models.batch_server.BatchServer."""

    most_bytes = _MOST_BYTES

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._model = spec.name
        self._key = key
        self._client = GeminiClient(spec, key)

    async def make_line(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> bytes:
        """Written as the SDK writes it, so that its length counts."""
        body = content_body(request, await encode_pictures(request, read_picture))
        return json.dumps({"request": body, "metadata": {_KEY: key}}).encode()

    async def submit(self, lines: Sequence[bytes], tag: str) -> BatchState:
        rows = [json.loads(line) for line in lines]
        config = types.CreateBatchJobConfig(
            display_name=tag,
            # As single requests do: the SDK would rewrite each of them, and encode its pictures again.
            http_options=types.HttpOptions(extra_body={"batch": {"inputConfig": {"requests": {"requests": rows}}}}),
        )
        source = types.BatchJobSource(inlined_requests=[])
        job = await self._client.call(
            lambda opened: opened.client.aio.batches.create(model=self._model, src=source, config=config),
            _TIMEOUT_SECONDS,
        )
        return BatchState(_name_of(job), ended=False, outputs=())

    async def find(self, tag: str) -> BatchState | None:
        job = await self._client.call(lambda opened: _find(opened.client, tag), _TIMEOUT_SECONDS)
        return await self.state(_name_of(job)) if job else None

    async def state(self, batch_id: str) -> BatchState:
        batch = await self._get(batch_id)
        state = batch.metadata.state.rpartition("_STATE_")[2]
        said = clean_message(batch.error.message, self._key) if batch.error else ""
        refused = said or "no reason given" if state == "FAILED" else None
        return BatchState(batch_id, state in _ENDED, (batch_id,), refused, state == _WHOLE)

    async def results(self, outputs: Iterable[str]) -> dict[str, Received | CallError]:
        found: dict[str, Received | CallError] = {}
        for batch_id in outputs:
            output = (await self._get(batch_id)).metadata.output
            rows = map(self._read_row, output.inlined_responses.inlined_responses)
            found |= dict(row for row in rows if row)
        return found

    async def close(self) -> None:
        await self._client.close()

    async def _get(self, batch_id: str) -> "_Batch":
        url = f"{self._client.base_url.rstrip('/')}/{API_VERSION}/{batch_id}"
        return await self._client.call(lambda opened: self._read_batch(opened.session, url), _TIMEOUT_SECONDS)

    async def _read_batch(self, session: ClientSession, url: str) -> "_Batch":
        """Not by the SDK: it reads a batch whole or not at all, and fails at the details of one row's error."""
        async with session.get(url, headers={"x-goog-api-key": self._key or NO_KEY}) as response:
            await errors.APIError.raise_for_async_response(response)
            return _Batch.model_validate_json(mask_key(await response.text(), self._key))

    def _read_row(self, row: object) -> tuple[str, Received | CallError] | None:
        """None where the batch did not come to it. A row that is none belongs to no key."""
        try:
            read = _Row.model_validate(row)
        except ValidationError:
            return "", CallError(FailureKind.TEMPORARY, "A row of the batch is no result.")
        return (read.metadata.key, self._read(read)) if read.error or read.response is not None else None

    def _read(self, row: "_Row") -> Received | CallError:
        if row.error:
            status = row.error.code if row.error.code in range(400, 600) else _HTTP_STATUS.get(row.error.code, 500)
            return status_error(status, row.error.message, {item.reason for item in row.error.details}, {}, self._key)
        try:
            return receive_content(json.dumps(row.response, ensure_ascii=False))
        except ValueError:
            said = "The batch has a body for this row that is no reply."
            return CallError(FailureKind.TEMPORARY, said, maybe_billed=True)


async def _find(client: genai.Client, tag: str) -> types.BatchJob | None:
    async for job in await client.aio.batches.list(config=types.ListBatchJobsConfig(page_size=_PAGE)):
        if job.display_name == tag:
            return job
    return None


def _name_of(job: types.BatchJob) -> str:
    """Raises CallError: the batch may be made all the same, and is then found by its name for us."""
    if not job.name:
        raise CallError(FailureKind.TEMPORARY, "A batch without a name came back.", maybe_billed=True)
    return job.name


class _Detail(Wire):
    reason: str = ""


class _Error(Wire):
    """google.rpc.Status."""

    code: int = 0
    message: str = ""
    details: tuple[_Detail, ...] = ()


class _Tag(Wire):
    key: str


class _Row(Wire):
    metadata: _Tag
    response: object = None
    error: _Error | None = None


class _Rows(CamelWire):
    inlined_responses: tuple[object, ...] = ()


class _Output(CamelWire):
    inlined_responses: _Rows = _Rows()


class _Metadata(Wire):
    state: str
    output: _Output = _Output()


class _Batch(Wire):
    metadata: _Metadata
    error: _Error | None = None
