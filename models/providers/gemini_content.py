"""Gemini through google-genai. The body goes in as it is sent and comes out as it is received: the SDK would encode
each picture again for every request and build reply models that nothing reads."""

import asyncio

from google.genai import types

from core.model_specs import ModelSpec
from models.base import ModelRequest, ReadPicture, Received
from models.providers.attachments import encode_pictures
from models.providers.content_format import content_body, has_pictures, receive_content
from models.providers.faults import strange_body
from models.providers.gemini_client import GeminiClient, small_headers
from models.providers.key_masking import mask_key


class GeminiProvider:
    """One model, for one event loop; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._key = key
        self._client = GeminiClient(spec, key)

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises CallError."""
        body = content_body(request, await encode_pictures(request, read_picture))
        config = types.GenerateContentConfig(
            http_options=types.HttpOptions(extra_body=body),
            should_return_http_response=True,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
        )
        response = await self._client.call(
            # `contents` is given again in the body, which goes over it.
            lambda opened: opened.client.aio.models.generate_content(model=request.model, contents="", config=config),
            timeout_seconds,
        )
        return await self._receive(response.sdk_http_response)

    async def close(self) -> None:
        await self._client.close()

    async def _receive(self, response: types.HttpResponse | None) -> Received:
        body = (response.body if response else None) or ""
        headers = small_headers(response.headers if response else None)
        if has_pictures(body):  # they take tens of milliseconds to decode, in which others wait
            received = await asyncio.to_thread(self._read, body)
        else:
            received = self._read(body)
        if received is None:
            raise strange_body(200, body, headers, self._key)
        return received

    def _read(self, body: str) -> Received | None:
        try:
            return receive_content(mask_key(body, self._key))
        except ValueError:
            return None
