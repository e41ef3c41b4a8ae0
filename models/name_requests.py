"""Free requests for the names of models, one for each, all at once."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import quote

from aiohttp import ClientError, ClientSession, ClientTimeout

from core.model_specs import ModelSpec

_SECONDS = 10.0
_NOT_FOUND = 404
_PATHS = {"openai": "models", "gemini": "v1beta/models", "anthropic": "v1/models"}


async def find_unknown(asked: Sequence[tuple[ModelSpec, str]]) -> list[bool]:
    """Of each model with its key whether its server says, by its name, that it does not know it: others answer 404
    because they have no such path."""
    async with ClientSession(trust_env=True, timeout=ClientTimeout(_SECONDS)) as session:
        return await asyncio.gather(*(_is_unknown(session, spec, key) for spec, key in asked))


async def _is_unknown(session: ClientSession, spec: ModelSpec, key: str) -> bool:
    address = f"{spec.server.rstrip('/')}/{_PATHS[spec.provider]}/{quote(spec.name, safe='')}"
    headers = {
        "openai": {"Authorization": f"Bearer {key}"} if key else {},
        "gemini": {"x-goog-api-key": key},
        "anthropic": {"x-api-key": key, "anthropic-version": "2023-06-01"},
    }[spec.provider]
    with suppress(ClientError, TimeoutError, ValueError, LookupError, RecursionError):
        async with session.get(address, headers=headers) as response:
            if response.status == _NOT_FOUND:
                said = json.dumps(json.loads(await response.text()))
                return spec.name in said.replace(response.url.path, "").replace(response.url.raw_path, "")
    return False
