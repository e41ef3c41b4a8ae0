"""What the clients of OpenAI and Anthropic share: both SDKs stand on one transport, and replies come back alike."""

from collections.abc import Callable

import httpx2

from models.base import Parsed, Received
from models.providers.faults import strange_body
from models.providers.key_masking import mask_key

# Idle connections end before the 5 s after which uvicorn (vLLM) ends them: a request would meet a closed one.
LIMITS = httpx2.Limits(max_connections=1000, keepalive_expiry=4.0)
TIMEOUT = httpx2.Timeout(None, connect=20.0)


def receive(
    response: httpx2.Response, parse: Callable[[str], Parsed], request_id: str | None, key: str | None
) -> Received:
    """Raises CallError for a body that `parse` cannot read."""
    body = mask_key(response.content.decode("utf-8", errors="replace"), key)
    if not _is_read(body, parse):
        raise strange_body(response.status_code, body, response.headers, key)
    return Received(body, mask_key(request_id, key) if request_id else None)


def _is_read(body: str, parse: Callable[[str], Parsed]) -> bool:
    try:
        parse(body)
    except ValueError:
        return False
    return True
