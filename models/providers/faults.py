"""What went wrong with a call, told apart by what can be done about it: one table for all providers, so that a status
means the same whoever sent it. What a provider says is shortened and rid of keys and pictures before it is kept. How
they come out of the SDKs: see models.providers.sdk_calls."""

import re
import time
from collections.abc import Collection, Iterator, Mapping
from email.utils import parsedate_to_datetime

from aiohttp import ClientConnectorError, ConnectionTimeoutError
from pydantic import BaseModel, Field

from core.terminals import show_controls
from models.base import CallError, FailureKind
from models.providers.key_masking import MASK, mask_key

_TEMPORARY = frozenset({408, 409, 425})
_MOVED = frozenset({404, 405, 410})
_TOO_LARGE = 413  # says so of the request, whoever sends it
_BROKE_CODES = frozenset(
    {
        "insufficient_quota",  # OpenAI, as 429
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_balance",
        "AccountOverdueError",  # Volcano Ark, as 403
    }
)
_BROKE_WORDS = "credit balance is too low"  # Anthropic, as 400
_KEY_CODES = frozenset({"API_KEY_INVALID", "invalid_api_key"})  # the first is Gemini's, as 400
_JSON = "json"
_MAX_MESSAGE = 300
_DATA = re.compile(r"[A-Za-z0-9+/_=-]{65,}")
_KEY = re.compile(r"\b(?:sk-|AIza|ark-|Bearer\s+)\S+")


class _Error(BaseModel):
    code: int = Field(ge=400, le=599)
    message: str


class _ErrorBody(BaseModel):
    error: _Error


def status_error(
    status: int, said: str, codes: Collection[str], headers: Mapping[str, str], key: str | None
) -> CallError:
    """The failure that an HTTP status stands for. `codes` are the provider's own names of the error, `headers` those of
    the response with small names, `said` the message for humans."""
    return CallError(
        kind=_kind(status, said, codes, headers.get("content-type", _JSON)),
        message=f"HTTP {status}: {clean_message(said, key)}",
        http_status=status,
        retry_after=read_retry_after(headers),
    )


def connection_error(error: BaseException, key: str | None) -> CallError:
    """The failure of a request that got no complete response. Only where there was no connection was it surely not
    sent. That is seen from aiohttp's own error: the transport of the SDKs calls a connection that broke after the
    request a `ConnectTimeout` too."""
    cause = error.__cause__ or error
    said = str(cause) or str(error)
    message = f"{type(cause).__name__}: {clean_message(said, key)}"
    unsent = any(isinstance(found, ClientConnectorError | ConnectionTimeoutError) for found in _chain(error))
    return CallError(FailureKind.TEMPORARY, message, maybe_billed=not unsent)


def timeout_error(timeout_seconds: float) -> CallError:
    message = f"No complete reply within {timeout_seconds:g} seconds."
    return CallError(FailureKind.TEMPORARY, message, maybe_billed=True)


def strange_body(status: int, body: str, headers: Mapping[str, str], key: str | None) -> CallError:
    """The failure of a success status whose body is no reply: an error in its place, as routers of providers send it,
    or the page of a proxy."""
    try:
        inner = _ErrorBody.model_validate_json(body).error
    except ValueError:
        said = clean_message(body, key) or "nothing"
        message = f"HTTP {status} with a body that is no reply: {said}"
        return CallError(FailureKind.TEMPORARY, message, http_status=status, maybe_billed=True)
    return status_error(inner.code, inner.message, (), headers, key)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or from `retry-after` in seconds or as an HTTP date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):  # the second: of a year or a zone that no clock shows
        return None


def clean_message(text: str, key: str | None) -> str:
    """One short line without the key, anything that looks like a key, or base64."""
    if key:
        text = mask_key(text, key).replace(key, MASK)
    text = _DATA.sub("[data]", _KEY.sub(MASK, text))
    text = show_controls(" ".join(text.split()))
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + " ..."


def _chain(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__


def _kind(status: int, said: str, codes: Collection[str], content_type: str) -> FailureKind:
    """An error of the API itself is JSON; a page is that of a proxy, and says nothing of the request."""
    if status == 402 or not _BROKE_CODES.isdisjoint(codes) or _BROKE_WORDS in said:
        return FailureKind.BROKE
    if status in (401, 403) or not _KEY_CODES.isdisjoint(codes):
        return FailureKind.KEY
    if status == 429:
        return FailureKind.RATE
    if status in _TEMPORARY or status >= 500:
        return FailureKind.TEMPORARY
    is_page = _JSON not in content_type and status != _TOO_LARGE
    return FailureKind.MOVED if status in _MOVED or is_page else FailureKind.PERMANENT


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
