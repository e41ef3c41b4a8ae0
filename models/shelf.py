"""Replies on their way to and from the disk, in threads, so that no call waits for another's file. A reply is stored
before anyone sees it, its made pictures before the reply, and its price is in the ledger right after."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from core.calls import UNANSWERED, AnswerStatus
from core.records import Blob, Record
from models.base import Asked, Parsed, ReadPicture, StoredReply, Usage
from models.disk import Disk
from models.ledger import Ledger
from models.lines import Line
from models.payments import Payment
from models.providers.registry import parse_stored
from models.reading import Reading, read_reply
from models.reply_store import ReplyStore

_log = logging.getLogger("flawbench.calls")


@dataclass(frozen=True)
class Surroundings:
    """What a call reads and writes. `build` is noted in replies. `retry_before`: what failed for good or was refused
    before that time (UTC in ISO 8601) is asked for again; "" for nothing."""

    store: ReplyStore
    ledger: Ledger
    read_picture: ReadPicture
    put_blob: Callable[[Blob], None]
    build: str
    retry_before: str = ""


class Fetched(NamedTuple):
    asked: Asked
    reading: Reading


class Shelf:
    def __init__(self, around: Surroundings, disk: Disk) -> None:
        self._around = around
        self._disk = disk

    async def look_up(self, line: Line, key: str, reply: type[Record] | None) -> Fetched | None:
        """None where nothing is stored under the key. Raises StorageError for a body that cannot be read."""
        stored = await self._disk.run(lambda: self._find(line, key))
        return await self._open(stored, reply, paid=False) if stored else None

    async def keep(self, line: Line, new: Fetched, reply: type[Record] | None) -> Fetched:
        """On disk and in the ledger when it returns: the new one, or the one that another process stored first. Raises
        StorageError."""
        kept = await self._disk.run(lambda: self._keep(line, new.asked))
        if kept is new.asked.reply:
            return new
        _log.warning("Reply %s was paid twice: another process stored its own first, and that is used.", kept.key)
        return await self._open(kept, reply, paid=True)

    async def keep_failure(self, stored: StoredReply, reply: type[Record] | None) -> Fetched:
        """A failure that would be the same the next time, or what another process stored first. Raises StorageError."""
        kept = await self._disk.run(lambda: self._around.store.put(stored))
        return await self._open(kept, reply, paid=True)

    def _find(self, line: Line, key: str) -> StoredReply | None:
        stored = self._around.store.get(key)
        if stored and stored.paid_as:
            self._around.ledger.add_missing(_payment(line, stored))
        if stored and stored.status in UNANSWERED and self._is_asked_again(line, stored):
            self._around.store.remove(key)
            return None
        return stored

    def _is_asked_again(self, line: Line, stored: StoredReply) -> bool:
        return stored.asked < self._around.retry_before and not line.spec.replay

    def _keep(self, line: Line, new: Asked) -> StoredReply:
        for blob in new.blobs:
            self._around.put_blob(blob)
        kept = self._around.store.put(new.reply)
        self._around.ledger.add(_payment(line, new.reply))
        return kept

    async def _open(self, stored: StoredReply, reply: type[Record] | None, paid: bool) -> Fetched:
        parsed = parse_reply(self._around.store, stored)
        blobs = await self._disk.run(lambda: self._read_pictures(stored)) if stored.pictures else ()
        return Fetched(Asked(stored, parsed, paid, blobs), read_reply(parsed, reply))

    def _read_pictures(self, stored: StoredReply) -> tuple[Blob, ...]:
        return tuple(Blob(picture, self._around.read_picture(picture)) for picture in stored.pictures)


def parse_reply(store: ReplyStore, stored: StoredReply) -> Parsed:
    """What a reply of the store says. Raises StorageError for a body that is none of its provider."""
    if stored.body is None:
        return Parsed(AnswerStatus.FAILED, "", None, Usage(), None, detail=stored.failure or "")
    try:
        return parse_stored(stored.request.provider, stored.body)
    except ValueError as error:
        reason = f"its body is no reply of {stored.request.provider}:{stored.request.model}"
        raise store.damaged(stored.key, reason) from error


def _payment(line: Line, reply: StoredReply) -> Payment:
    usd = reply.usd or 0.0
    return Payment(key=reply.key, usd=usd, model=line.spec.id, time=reply.asked, attempt=reply.paid_as)
