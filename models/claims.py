"""Several processes over one reply store, each saying which requests it has under way, so that what one has asked for
the others wait for. A process alone says nothing until another appears; two that want the same at the same moment both
step back for a random while."""

import asyncio
import contextlib
import logging
import os
import random
import socket
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from core.calls import ByteStore
from core.errors import StorageError
from core.identity import canonical_json
from core.processes import is_running
from core.records import Record
from models.disk import Disk

FOLDER = "claims"
_LOOK_SECONDS = 0.5
_ANSWER_SECONDS = 10.0
"""A process that comes later waits at most so long for the others: one that crashed on another host never answers."""
_ANSWER_LOOK_SECONDS = 0.1
_ROUND_SECONDS = 0.02
_SILENT_SECONDS = 60.0
_STEP_BACK_SECONDS = (0.1, 0.4)
_log = logging.getLogger("flawbench.calls")


class Claim(Record):
    """What one process has under way. `beat` goes up while it lives; `closed` when it ended."""

    host: str
    process: int
    beat: int = 0
    keys: tuple[str, ...] = ()
    closed: bool = False


@dataclass
class _Neighbour:
    claim: Claim
    changed: float


@dataclass
class _View:
    """Of the other processes; belongs to one thread at a time."""

    gone: set[str] = field(default_factory=set)
    neighbours: dict[str, _Neighbour] = field(default_factory=dict)


class Claims:
    """Belongs to one event loop; `disk` runs what waits for the store."""

    def __init__(self, files: ByteStore, disk: Disk) -> None:
        self._files = files
        self._disk = disk
        self._name = f"{socket.gethostname()}.{os.getpid()}.{uuid.uuid4().hex[:8]}.json"
        self._held: set[str] = set()
        self._elsewhere: frozenset[str] = frozenset()
        self._view = _View()
        self._beat = 0
        self._turn = asyncio.Lock()
        self._round: asyncio.Task[None] | None = None
        self._wanted: set[str] = set()
        self._watcher: asyncio.Task[None] | None = None
        self._draw = random.Random()

    @property
    def met(self) -> int:
        """How many other processes were seen so far: when it has not changed, none can have stored anything."""
        return len(self._view.gone) + len(self._view.neighbours)

    @property
    def shared(self) -> bool:
        """Whether other processes work over the same store."""
        return bool(self._view.neighbours)

    async def take(self, key: str) -> bool:
        """False when another process has it under way: look for its reply instead. Raises StorageError."""
        if self._watcher is None:
            await self._register()
        if not self.shared:
            self._held.add(key)
            return True
        self._wanted.add(key)
        if self._round is None:
            self._round = asyncio.create_task(self._claim_wanted())
        await asyncio.shield(self._round)
        return key in self._held

    def release(self, key: str) -> None:
        self._held.discard(key)

    async def wait_elsewhere(self, key: str) -> bool:
        """Some time later: whether another process still has it under way."""
        await asyncio.sleep(self._draw.uniform(*_STEP_BACK_SECONDS))
        return key in self._elsewhere

    async def close(self) -> None:
        if self._watcher is None:
            return
        self._watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._watcher
        self._watcher = None
        self._held.clear()
        with contextlib.suppress(StorageError):  # others see that the process is gone
            await self._publish((), closed=True)

    async def _register(self) -> None:
        async with self._turn:
            if self._watcher:
                return
            await self._publish(())
            await self._disk.run(self._look)
            if self.shared:
                _log.warning("Another process uses this reply store: what it asks for is not asked for here as well.")
                await self._publish(())
                await self._wait_for_answers()
            self._watcher = asyncio.create_task(self._watch())

    async def _wait_for_answers(self) -> None:
        """Until each of the others has written anew. A process does so when it sees that it is not alone, and from then
        on says what it has under way."""
        asked, end = dict(self._view.neighbours), time.monotonic() + _ANSWER_SECONDS
        while asked and time.monotonic() < end:
            await asyncio.sleep(_ANSWER_LOOK_SECONDS)
            await self._disk.run(self._look)
            asked = {name: found for name, found in asked.items() if self._view.neighbours.get(name) is found}

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await self._look_round()
            except StorageError as error:  # may pass, and no longer to see the others would be paid twice
                _log.warning("claims=%s", error.message)

    async def _look_round(self) -> None:
        async with self._turn:
            await self._disk.run(self._look)
            if self.shared:
                await self._publish(self._held)

    async def _claim_wanted(self) -> None:
        """Write first, then read: of two that claim the same at least one sees the other."""
        await asyncio.sleep(_ROUND_SECONDS)
        async with self._turn:
            self._round = None
            wanted, self._wanted = self._wanted, set()
            await self._publish(self._held | wanted)
            await self._disk.run(self._look)
            free = wanted - self._elsewhere
            self._held |= free
            if len(free) < len(wanted):
                await self._publish(self._held)

    async def _publish(self, keys: Iterable[str], closed: bool = False) -> None:
        claim = Claim(
            host=socket.gethostname(), process=os.getpid(), beat=self._beat, keys=tuple(sorted(keys)), closed=closed
        )
        self._beat += 1
        await self._disk.run(lambda: self._write(claim))

    def _write(self, claim: Claim) -> None:
        self._files.write(f"{FOLDER}/{self._name}", canonical_json(claim).encode())

    def _look(self) -> None:
        view, now = self._view, time.monotonic()
        for name in self._files.names(FOLDER) - view.gone - {self._name}:
            claim = self._read(name)
            before = view.neighbours.get(name)
            if before is None or claim != before.claim:
                view.neighbours[name] = _Neighbour(claim, now)
            if claim.closed or not _is_alive(view.neighbours[name], now):
                view.gone.add(name)
                del view.neighbours[name]
        self._elsewhere = frozenset(key for found in view.neighbours.values() for key in found.claim.keys)

    def _read(self, name: str) -> Claim:
        """A file that is no claim stands for a process that ended."""
        try:
            return Claim.model_validate_json(self._files.read(f"{FOLDER}/{name}") or b"")
        except ValidationError:
            return Claim(host="", process=0, closed=True)


def _is_alive(neighbour: _Neighbour, now: float) -> bool:
    """By its number on the same host, and anywhere by what it writes."""
    claim = neighbour.claim
    if claim.host == socket.gethostname() and not is_running(claim.process):
        return False
    return now - neighbour.changed < _SILENT_SECONDS
