"""Gemini through google-genai. The body goes in as it is sent and comes out as it is received: the SDK would encode
each picture again for every request and build reply models that nothing reads."""

import asyncio
from collections.abc import Mapping
from json import JSONDecodeError
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, TCPConnector
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError, ModelRequest, Parsed, ReadPicture, Received
from models.providers.attachments import encode_pictures
from models.providers.content_format import content_body, has_pictures, parse_content, receive_content
from models.providers.faults import connection_error, status_error, strange_body, timeout_error
from models.providers.key_masking import mask_key

_API_VERSION = "v1beta"  # preview models and JSON schemas are not in v1
_NO_KEY = "none"
_MAX_CONNECTIONS = 1000


class GeminiProvider:
    """One model, for one event loop; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self._base_url = spec.base_url or PROVIDER_SERVERS["gemini"]
        self._key = key
        self._opened: _Opened | None = None

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises CallError."""
        body = content_body(request, await encode_pictures(request, read_picture))
        config = types.GenerateContentConfig(
            http_options=types.HttpOptions(extra_body=body),
            should_return_http_response=True,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
        )
        models = self._open().client.aio.models
        try:
            async with asyncio.timeout(timeout_seconds):
                # `contents` is given again in the body, which goes over it.
                response = await models.generate_content(model=request.model, contents="", config=config)
        except errors.APIError as error:
            raise self._translate(error) from None
        except (
            ClientError,
            JSONDecodeError,
            UnicodeDecodeError,
        ) as error:  # the latter two: bodies of no server of Google
            raise connection_error(error, self._key) from None
        except TimeoutError:  # after the ClientErrors, of which one is a TimeoutError too
            raise timeout_error(timeout_seconds) from None
        return await self._receive(response.sdk_http_response)

    def parse(self, body: str) -> Parsed:
        return parse_content(body)

    async def close(self) -> None:
        if self._opened:
            self._opened.client.close()
            await self._opened.session.close()
            self._opened = None

    def _open(self) -> "_Opened":
        """At the first request: a session belongs to the running loop. The SDK's own session is of a class that aiohttp
        warns of."""
        if self._opened is None:
            session = ClientSession(connector=TCPConnector(limit=_MAX_CONNECTIONS), trust_env=True)
            client = genai.Client(
                vertexai=False,
                api_key=self._key or _NO_KEY,
                http_options=types.HttpOptions(
                    base_url=self._base_url,
                    api_version=_API_VERSION,
                    aiohttp_client=session,
                    # Without options the SDK asks again after a broken connection, up to 10 s later.
                    retry_options=types.HttpRetryOptions(attempts=1),
                ),
            )
            self._opened = _Opened(session, client)
        return self._opened

    async def _receive(self, response: types.HttpResponse | None) -> Received:
        body = (response.body if response else None) or ""
        headers = _small(response.headers if response else None)
        try:
            if has_pictures(body):  # they take tens of milliseconds to decode, in which others wait
                return await asyncio.to_thread(self._read, body)
            return self._read(body)
        except ValueError:
            raise strange_body(200, body, headers, self._key) from None

    def _read(self, body: str) -> Received:
        return receive_content(mask_key(body, self._key))

    def _translate(self, error: errors.APIError) -> CallError:
        try:
            told = _ErrorBody.model_validate(error.details).error
        except ValidationError:
            told = _Error()
        codes = {item.reason for item in told.details if item.reason}
        headers = _small(getattr(error.response, "headers", None))
        for item in told.details:
            if item.retry_delay:
                headers.setdefault("retry-after", item.retry_delay.removesuffix("s"))
        return status_error(error.code, told.message or error.message or str(error.details), codes, headers, self._key)


class _Opened(NamedTuple):
    session: ClientSession
    client: genai.Client


class _Detail(BaseModel):
    model_config = ConfigDict(extra="ignore")

    reason: str | None = None
    retry_delay: str | None = Field(default=None, alias="retryDelay")


class _Error(BaseModel):
    message: str | None = None
    details: tuple[_Detail, ...] = ()


class _ErrorBody(BaseModel):
    error: _Error


def _small(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {name.lower(): value for name, value in (headers or {}).items()}
