"""No model at all: stored replies are looked up before a provider is asked, and what is not stored is an error here. So
a build with `replay` gives the same bytes as the recorded one or stops, and never spends anything."""

from collections.abc import Awaitable, Callable

from core.errors import ModelCallError, StorageError
from models.base import ModelRequest, ReadPicture, Received
from models.requests import request_key


class ReplayProvider:
    """In place of any provider. `note` keeps a request that was missed, so that it can be compared with stored ones; it
    raises StorageError. `switch` is what asks for it, in words."""

    def __init__(self, note: Callable[[ModelRequest], Awaitable[object]], switch: str) -> None:
        self._note = note
        self._switch = switch

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises ModelCallError always."""
        key = request_key(request)
        missed = f"There is no stored reply {key} of {request.provider}:{request.model}, which is only replayed."
        try:
            await self._note(request)
        except StorageError as error:
            raise ModelCallError(
                f"{missed} Its request could not be kept to be compared: {error.message}",
                f"Build without replay ({self._switch}) to ask the model.",
            ) from error
        raise ModelCallError(
            missed,
            f"Run `flawbench calls why-miss {key} KEY`, with KEY the `reply` of the same question in `flawbench calls "
            f"--json` of the recorded build, to see what differs, or build without replay "
            f"({self._switch}) to ask the model.",
        )

    async def close(self) -> None:
        """Nothing is open."""
