"""What the batch mode needs of a provider, and which module gives it: the rest of the mode is the same for all."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from core.errors import ConfigurationError
from core.model_specs import ModelSpec
from models.base import CallError, ModelRequest, ReadPicture, Received

BATCH_PROVIDERS = frozenset({"openai", "gemini"})


class BatchState(NamedTuple):
    """`outputs` name what holds replies and errors. `refused` says why the provider took none of the rows, None when it
    took them. `whole`: it came to all of them."""

    id: str
    ended: bool
    outputs: tuple[str, ...]
    refused: str | None = None
    whole: bool = False


class BatchServer(Protocol):
    """One model of one account on one server. Every method but `close` raises CallError.

    `most_bytes`: of the lines of one batch. `make_line`: the request as it stands in a batch. `submit` sends once and
    never tries again: a batch may be made although no answer arrives. `find`: the batch that was made under the tag, by
    this process or by one that was killed. `results`: by the key of the row, "" where it cannot be read; rows that the
    batch did not come to are not there."""

    @property
    def most_bytes(self) -> int: ...
    async def make_line(self, key: str, request: ModelRequest, read_picture: ReadPicture) -> bytes: ...
    async def submit(self, lines: Sequence[bytes], tag: str) -> BatchState: ...
    async def find(self, tag: str) -> BatchState | None: ...
    async def state(self, batch_id: str) -> BatchState: ...
    async def results(self, outputs: Iterable[str]) -> dict[str, Received | CallError]: ...
    async def close(self) -> None: ...


def make_batch_server(spec: ModelSpec, key: str | None) -> BatchServer:
    """No request is sent yet. Each SDK is loaded only where it is used. Raises ConfigurationError."""
    match spec.provider:
        case "openai":
            from models.openai_batches import OpenAIBatches

            return OpenAIBatches(spec, key)
        case "gemini":
            from models.gemini_batches import GeminiBatches

            return GeminiBatches(spec, key)
        case _:
            raise ConfigurationError(
                f"A model has `batch: true`, but {spec.id} has no batch mode here.",
                "Remove its `batch`: it is for providers openai and gemini.",
            )
