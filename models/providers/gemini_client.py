"""The client of google-genai and what its failures mean: single requests and batches share both."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar

from aiohttp import ClientSession, TCPConnector
from google import genai
from google.genai import errors, types
from pydantic import ValidationError

from core.model_specs import PROVIDER_SERVERS, ModelSpec
from models.base import CallError
from models.providers.bodies import CamelWire, Wire
from models.providers.faults import status_error
from models.providers.key_masking import NO_KEY
from models.providers.sdk_calls import call_sdk

API_VERSION = "v1beta"  # preview models and JSON schemas are not in v1
_MAX_CONNECTIONS = 1000
Result = TypeVar("Result")


class Opened(NamedTuple):
    session: ClientSession
    client: genai.Client


class GeminiClient:
    """One account on one server, for one event loop; `key` None for a server that wants none."""

    def __init__(self, spec: ModelSpec, key: str | None) -> None:
        self.base_url = spec.base_url or PROVIDER_SERVERS["gemini"]
        self.key = key
        self._opened: Opened | None = None

    async def call(self, work: Callable[[Opened], Awaitable[Result]], timeout_seconds: float) -> Result:
        """What comes of `work`, whose requests take no longer together. Raises CallError for every failure of them."""
        return await call_sdk(self._work(work), _translate, self.key, timeout_seconds)

    async def close(self) -> None:
        if self._opened:
            self._opened.client.close()
            await self._opened.session.close()
            self._opened = None

    async def _work(self, work: Callable[[Opened], Awaitable[Result]]) -> Result:
        return await work(self._open())

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


def _translate(error: BaseException, key: str | None) -> CallError | None:
    if not isinstance(error, errors.APIError):
        return None
    try:
        told = _ErrorBody.model_validate(error.details).error
    except ValidationError:
        told = _Error()
    codes = {item.reason for item in told.details if item.reason}
    headers = small_headers(getattr(error.response, "headers", None))
    for item in told.details:
        if item.retry_delay:
            headers.setdefault("retry-after", item.retry_delay.removesuffix("s"))
    said = str(told.message or error.message or error.details)  # as received: a message may be an object
    return status_error(error.code, said, codes, headers, key)


class _Detail(CamelWire):
    reason: str | None = None
    retry_delay: str | None = None


class _Error(Wire):
    message: str | None = None
    details: tuple[_Detail, ...] = ()


class _ErrorBody(Wire):
    error: _Error
