"""The client of google-genai and what its failures mean: single requests and batches share both."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from json import JSONDecodeError
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, TCPConnector
from google import genai
from google.genai import errors, types
from pydantic import ValidationError

from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError
from models.providers.bodies import CamelWire, Wire
from models.providers.faults import connection_error, status_error, timeout_error
from models.providers.key_masking import NO_KEY

API_VERSION = "v1beta"  # preview models and JSON schemas are not in v1
_MAX_CONNECTIONS = 1000


class Opened(NamedTuple):
    session: ClientSession
    client: genai.Client


class GeminiClient:
    """One account on one server, for one event loop; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self.base_url = spec.base_url or PROVIDER_SERVERS["gemini"]
        self.key = key
        self._opened: Opened | None = None

    @asynccontextmanager
    async def calls(self, timeout_seconds: float) -> AsyncGenerator[Opened]:
        """For requests that take no longer together. Raises CallError for every failure of them."""
        try:
            async with asyncio.timeout(timeout_seconds):
                yield self._open()
        except errors.APIError as error:
            raise _translate(error, self.key) from None
        # All but the first: bodies of no server of Google.
        except (ClientError, JSONDecodeError, UnicodeDecodeError, ValidationError) as error:
            raise connection_error(error, self.key) from None
        except TimeoutError:  # after the ClientErrors, of which one is a TimeoutError too
            raise timeout_error(timeout_seconds) from None

    async def close(self) -> None:
        if self._opened:
            self._opened.client.close()
            await self._opened.session.close()
            self._opened = None

    def _open(self) -> Opened:
        """At the first request: a session belongs to the running loop. The SDK's own session is of a class that aiohttp
        warns of."""
        if self._opened is None:
            session = ClientSession(connector=TCPConnector(limit=_MAX_CONNECTIONS), trust_env=True)
            client = genai.Client(
                vertexai=False,
                api_key=self.key or NO_KEY,
                http_options=types.HttpOptions(
                    base_url=self.base_url,
                    api_version=API_VERSION,
                    aiohttp_client=session,
                    # Without options the SDK asks again after a broken connection, up to 10 s later.
                    retry_options=types.HttpRetryOptions(attempts=1),
                ),
            )
            self._opened = Opened(session, client)
        return self._opened


def small_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {name.lower(): value for name, value in (headers or {}).items()}


def _translate(error: errors.APIError, key: str | None) -> CallError:
    try:
        told = _ErrorBody.model_validate(error.details).error
    except ValidationError:
        told = _Error()
    codes = {item.reason for item in told.details if item.reason}
    headers = small_headers(getattr(error.response, "headers", None))
    for item in told.details:
        if item.retry_delay:
            headers.setdefault("retry-after", item.retry_delay.removesuffix("s"))
    return status_error(error.code, told.message or error.message or str(error.details), codes, headers, key)


class _Detail(CamelWire):
    reason: str | None = None
    retry_delay: str | None = None


class _Error(Wire):
    message: str | None = None
    details: tuple[_Detail, ...] = ()


class _ErrorBody(Wire):
    error: _Error
