"""Replies on their way to and from the disk, in threads, so that no call waits for another's file. A reply is stored
before anyone sees it, its made pictures before the reply, and its price is in the ledger right after."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from core.calls import AnswerStatus
from core.errors import StorageError
from core.records import Blob, Record
from models.base import Asked, Parsed, ReadPicture, Received, StoredReply, Usage
from models.disk import Disk
from models.ledger import Ledger
from models.lines import Line
from models.payments import Attempt, Payment
from models.reading import Reading, read_reply
from models.reply_store import ReplyStore, reply_name


@dataclass(frozen=True)
class Surroundings:
    """What a call reads and writes. `build` is noted in replies."""

    store: ReplyStore
    ledger: Ledger
    read_picture: ReadPicture
    put_blob: Callable[[Blob], None]
    build: str


class Fetched(NamedTuple):
    asked: Asked
    reading: Reading


class Shelf:
    def __init__(self, around: Surroundings, disk: Disk) -> None:
        self._around = around
        self._disk = disk

    async def look_up(self, line: Line, key: str, reply: type[Record] | None) -> Fetched | None:
        """None where nothing is stored under the key. Raises StorageError for a body that cannot be read."""
        stored = await self._disk.run(lambda: self._around.store.get(key))
        if stored is None:
            return None
        if stored.body is None:
            return _failed(stored, paid=False)
        try:
            parsed = line.provider.parse(stored.body)
        except ValueError as error:
            raise StorageError(
                f"{reply_name(key)} is damaged: its body is no reply of {line.spec.id}.",
                "Delete that file and run the same command again: this one reply is asked for once more.",
            ) from error
        blobs = await self._disk.run(lambda: self._read_pictures(stored)) if stored.pictures else ()
        return Fetched(Asked(stored, parsed, False, blobs), read_reply(parsed, reply))

    async def keep(self, stored: StoredReply, received: Received, attempt: Attempt) -> None:
        """On disk and in the ledger when it returns. Raises StorageError."""
        await self._disk.run(lambda: self._keep(stored, received, attempt))

    async def keep_failure(self, stored: StoredReply) -> Fetched:
        """A failure that would be the same the next time. Raises StorageError."""
        await self._disk.run(lambda: self._around.store.put(stored))
        return _failed(stored, paid=True)

    def _keep(self, stored: StoredReply, received: Received, attempt: Attempt) -> None:
        for blob in received.blobs:
            self._around.put_blob(blob)
        self._around.store.put(stored)
        usd, model = stored.usd or 0.0, attempt.model
        self._around.ledger.add(Payment(key=stored.key, usd=usd, model=model, time=stored.asked, attempt=attempt.id))

    def _read_pictures(self, stored: StoredReply) -> tuple[Blob, ...]:
        return tuple(Blob(picture, self._around.read_picture(picture)) for picture in stored.pictures)


def _failed(stored: StoredReply, paid: bool) -> Fetched:
    detail = stored.failure or ""
    parsed = Parsed(AnswerStatus.FAILED, "", None, Usage(), None, detail=detail)
    return Fetched(Asked(stored, parsed, paid), Reading(AnswerStatus.FAILED, None, detail))
