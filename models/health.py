"""Whether a model answers at all. One request that is refused for good is a bad row and is recorded; a model that
refuses whatever it is asked has a wrong name, a wrong parameter or a locked account, or its server is no longer the one
it was, and recording that would keep the rows from ever being asked again. So a refusal counts as a row's own only when
the model answers a request that was sent after it."""

import asyncio

_MOST_REFUSED = 10
_FEW = 2


class LineHealth:
    """Of one model. `known`: it has answered in an earlier run. `refusals`: how many there were so far; that number as
    it was when a request was sent goes with its reply. Belongs to one event loop."""

    def __init__(self, known: bool) -> None:
        self.replies = 0
        self.refusals = 0
        self._known = known
        self._active = 0
        self._unproved = 0
        self._refused: list[tuple[int, asyncio.Future[bool]]] = []

    def begin(self) -> None:
        """One more request is to be answered."""
        self._active += 1

    def end(self) -> None:
        self._active -= 1
        self._settle()

    def replied(self, refusals: int) -> None:
        """To a request before which there were so many refusals: these were of bad rows."""
        self.replies += 1
        self._unproved = 0
        for number, future in self._refused:
            if number <= refusals and not future.done():
                future.set_result(True)
        self._refused = [found for found in self._refused if not found[1].done()]
        self._settle()

    async def is_bad_row(self) -> bool:
        """For a request that was refused: True when a later one is answered, or when nothing else is asked and only few
        were refused since the last reply; else False."""
        self.refusals += 1
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._refused.append((self.refusals, future))
        self._settle()
        return await future

    def _settle(self) -> None:
        refused = len(self._refused)
        if refused and refused >= self._active:
            self._resolve(self._are_few(refused))
        elif refused >= _MOST_REFUSED and not self.replies:
            self._resolve(False)

    def _are_few(self, refused: int) -> bool:
        if not self.replies:
            return self._known and refused <= _FEW
        self._unproved += refused
        return self._unproved < _MOST_REFUSED

    def _resolve(self, verdict: bool) -> None:
        for _, future in self._refused:
            if not future.done():
                future.set_result(verdict)
        self._refused.clear()
