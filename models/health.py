"""Whether a model answers at all in this run. One request that is refused for good is a bad row and is recorded; a
model that refuses whatever it is asked has a wrong name, a wrong parameter or a locked account, and recording that
would keep the rows from ever being asked again."""

import asyncio

_MOST_REFUSED = 10
_FEW = 2


class LineHealth:
    """Of one model. `known`: it has answered in an earlier run. Belongs to one event loop."""

    def __init__(self, known: bool) -> None:
        self.replies = 0
        self._known = known
        self._active = 0
        self._refused: list[asyncio.Future[bool]] = []

    def begin(self) -> None:
        """One more request is to be answered."""
        self._active += 1

    def end(self) -> None:
        self._active -= 1
        self._settle()

    def replied(self) -> None:
        self.replies += 1
        self._resolve(True)

    async def is_bad_row(self) -> bool:
        """For a request that was refused: True once another was answered, False when so many were refused, or when all
        others were too."""
        if self.replies:
            return True
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._refused.append(future)
        self._settle()
        return await future

    def _settle(self) -> None:
        refused = len(self._refused)
        if refused >= _MOST_REFUSED:
            self._resolve(False)
        elif refused and refused >= self._active:
            self._resolve(self._known and refused <= _FEW)

    def _resolve(self, verdict: bool) -> None:
        for future in self._refused:
            if not future.done():
                future.set_result(verdict)
        self._refused.clear()
