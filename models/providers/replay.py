"""No model at all: stored replies are looked up before a provider is asked, and what is not stored is an error here. So
a build with `replay` gives the same bytes as the recorded one or stops, and never spends anything."""

from collections.abc import Callable

from core.errors import ModelCallError
from models.base import ModelRequest, Parsed, ReadPicture, Received
from models.requests import request_key


class ReplayProvider:
    """In place of the provider whose stored bodies `parse` reads."""

    def __init__(self, parse: Callable[[str], Parsed]) -> None:
        self._parse = parse

    async def ask(self, request: ModelRequest, read_picture: ReadPicture, timeout_seconds: float) -> Received:
        """Raises ModelCallError always."""
        key = request_key(request)
        raise ModelCallError(
            f"There is no stored reply {key} of {request.provider}:{request.model}, and this build only replays.",
            f"Run `flawbench calls why-miss {key} KEY` with the key of a stored reply to see what differs, "
            "or build without replay to ask the model.",
        )

    def parse(self, body: str) -> Parsed:
        return self._parse(body)

    async def close(self) -> None:
        """Nothing is open."""
