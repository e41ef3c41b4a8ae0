"""Whether the servers know the models of a run, asked for free before its first call that is paid: a wrong name of a
validator would else show only when generators and editors were paid."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import quote

from aiohttp import ClientError, ClientSession, ClientTimeout

from core.errors import ConfigurationError
from core.model_specs import ModelSpec

_SECONDS = 10.0
_NOT_FOUND = 404
_PATHS = {"openai": "models", "gemini": "v1beta/models", "anthropic": "v1/models"}


class NameCheck:
    """Made once, when it is first awaited. `specs` by their keys in `file`."""

    def __init__(self, specs: Mapping[str, ModelSpec], file: str, environment: Mapping[str, str]) -> None:
        self._specs = {name: spec for name, spec in specs.items() if spec.provider in _PATHS}
        self._file = file
        self._environment = environment
        self._checking: asyncio.Task[None] | None = None

    async def __call__(self) -> None:
        """Raises ConfigurationError that names file, key and value. A server that does not answer, wants another key or
        has no such path is taken to know every name: the first call will tell."""
        if self._checking is None:
            self._checking = asyncio.create_task(self._check())
        await asyncio.shield(self._checking)

    async def close(self) -> None:
        if self._checking:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)

    async def _check(self) -> None:
        if not self._specs:
            return
        async with ClientSession(trust_env=True, timeout=ClientTimeout(_SECONDS)) as session:
            asked = [_is_unknown(session, spec, self._key_of(spec)) for spec in self._specs.values()]
            unknown = await asyncio.gather(*asked)
        for (name, spec), missing in zip(self._specs.items(), unknown, strict=True):
            if missing:
                raise ConfigurationError(
                    f"{self._file} has `models.{name}.name: {spec.name}`, and {spec.server} knows no such model. No"
                    " model was asked.",
                    f"Correct `models.{name}.name` there, or with --set models.{name}.name=NAME.",
                )

    def _key_of(self, spec: ModelSpec) -> str:
        return self._environment.get(spec.key_variable or "", "")


async def _is_unknown(session: ClientSession, spec: ModelSpec, key: str) -> bool:
    """Only where the server says so by its name: others answer 404 because they have no such path."""
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
