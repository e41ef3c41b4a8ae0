"""Whether the servers know the models of a run, asked for free before its first call that is paid: a wrong name of a
validator would else show only when generators and editors were paid."""

import asyncio
from collections.abc import Mapping

from core.errors import ConfigurationError
from core.model_specs import PROVIDER_SERVERS, ModelSpec


class NameCheck:
    """Made once, when it is first awaited. `specs` by their keys in `file`."""

    def __init__(self, specs: Mapping[str, ModelSpec], file: str, environment: Mapping[str, str]) -> None:
        self._specs = {name: spec for name, spec in specs.items() if spec.provider in PROVIDER_SERVERS}
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
        from models.name_requests import find_unknown  # loads aiohttp, which a run without calls does not need

        unknown = await find_unknown([(spec, self._key_of(spec)) for spec in self._specs.values()])
        for (name, spec), missing in zip(self._specs.items(), unknown, strict=True):
            if missing:
                raise ConfigurationError(
                    f"{self._file} has `models.{name}.name: {spec.name}`, and {spec.server} knows no such model. No"
                    " model was asked.",
                    f"Correct `models.{name}.name` there, or with --set models.{name}.name=NAME.",
                )

    def _key_of(self, spec: ModelSpec) -> str:
        return self._environment.get(spec.key_variable or "", "")
