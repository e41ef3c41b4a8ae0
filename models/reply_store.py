"""Replies under the hash of their requests, one object each: found again by any process on any machine that sees the
store, complete or absent whenever a process is killed, and never replaced by a later one."""

import re
from collections.abc import Iterator

from pydantic import ValidationError

from core.calls import ByteStore
from core.errors import StorageError
from models.base import ModelRequest, StoredReply
from models.requests import request_key

FOLDER = "replies"
_MISSED = "missed"
_KEY = re.compile(r"[0-9a-f]{64}")
_MOST_SHOWN = 80


class ReplyStore:
    """Over the object store. All methods raise StorageError."""

    def __init__(self, files: ByteStore) -> None:
        self.files = files

    def get(self, key: str) -> StoredReply | None:
        """None where nothing was stored under the key. A damaged entry is an error that names it."""
        data = self.files.read(reply_name(key))
        return None if data is None else self._read(key, data)

    def request(self, key: str) -> ModelRequest | None:
        """Of a stored reply, or one that a replay missed."""
        reply = self.get(key)
        if reply:
            return reply.request
        name = f"{_MISSED}/{key}.json"
        data = self.files.read(name)
        try:
            return None if data is None else ModelRequest.model_validate_json(data)
        except ValidationError as error:
            raise StorageError(
                f"{name} in {self.files.url} is damaged.", "Replay again: it is written anew."
            ) from error

    def note_missed(self, request: ModelRequest) -> None:
        """Kept so that it can be compared with stored ones."""
        self.files.write(f"{_MISSED}/{request_key(request)}.json", request.model_dump_json().encode())

    def has(self, key: str) -> bool:
        return self.files.size(reply_name(key)) is not None

    def put(self, reply: StoredReply) -> StoredReply:
        """On disk when it returns. What lies under the key from now on: the reply of another process where that one was
        first."""
        data = reply.model_dump_json().encode()
        while not self.files.create(reply_name(reply.key), data):
            first = self.get(reply.key)
            if first:
                return first
        return reply

    def remove(self, key: str) -> None:
        """So that it is asked for again."""
        self.files.remove(reply_name(key))

    def keys(self) -> Iterator[str]:
        """In order. Lists all folders: for reports, not for looking a key up."""
        for folder in sorted(self.files.names(FOLDER)):
            for name in sorted(self.files.names(f"{FOLDER}/{folder}")):
                key = folder + name.removesuffix(".json")
                if _KEY.fullmatch(key):
                    yield key

    def find(self, start: str) -> list[str]:
        """The keys that begin like this, in order; `start` has at least two characters."""
        names = self.files.names(f"{FOLDER}/{start[:2]}")
        keys = (start[:2] + name.removesuffix(".json") for name in sorted(names))
        return [key for key in keys if key.startswith(start) and _KEY.fullmatch(key)]

    def _read(self, key: str, data: bytes) -> StoredReply:
        try:
            reply = StoredReply.model_validate_json(data)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            where = f" ({'.'.join(map(str, fault['loc']))})" if fault["loc"] else ""
            raise self.damaged(key, f"{fault['msg']}{where}") from error
        if reply.key != key:
            raise self.damaged(key, f"it holds the reply {reply.key}")
        asked = request_key(reply.request)
        if asked != key:
            raise self.damaged(key, f"it holds the reply to another request, {asked}")
        return reply

    def damaged(self, key: str, reason: str) -> StorageError:
        """Of a reply that is there but cannot be used."""
        return StorageError(
            f"{reply_name(key)} in {self.files.url} is damaged: {reason}.",
            "Delete that file and run the same command again: this one reply is asked for once more.",
        )


def reply_name(key: str) -> str:
    """`replies/ab/cdef….json`: 256 folders, so that none gets too long to list. Raises StorageError for what is no key:
    another text would lead to another place."""
    if not _KEY.fullmatch(key):
        raise StorageError(
            f"{ascii(key)[:_MOST_SHOWN]} is no key of a reply, which has 64 of the characters 0-9 and a-f.",
            "Take keys from `flawbench calls --json`, field `reply`.",
        )
    return f"{FOLDER}/{key[:2]}/{key[2:]}.json"
