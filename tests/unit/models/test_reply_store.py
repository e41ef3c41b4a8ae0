"""Replies in the object store."""

from pathlib import Path
from uuid import uuid4

import pytest

from core.calls import AnswerStatus
from core.errors import StorageError
from core.model_specs import Parameters
from models.base import Message, ModelRequest, StoredReply, TextPart
from models.reply_store import ReplyStore, reply_name
from storage.files import Files

REQUEST = ModelRequest(
    provider="openai",
    model="m",
    base_url=None,
    system="",
    messages=(Message(role="user", parts=(TextPart(text="你好 \u2028"),)),),
    parameters=Parameters(),
)


def reply(key: str) -> StoredReply:
    return StoredReply(key=key, request=REQUEST, body='{"a": 1}', status=AnswerStatus.OK, usd=0.1, asked="2026-01-01")


def store(url: str | None = None) -> ReplyStore:
    return ReplyStore(Files(url or f"memory://replies-{uuid4().hex}"))


def test_what_is_put_is_got_by_another_store_over_the_same_folder(tmp_path: Path) -> None:
    key = "ab" + "c" * 62
    assert store(str(tmp_path)).get(key) is None
    store(str(tmp_path)).put(reply(key))
    assert store(str(tmp_path)).get(key) == reply(key)
    assert (tmp_path / "replies" / "ab" / f"{'c' * 62}.json").is_file()


def test_keys_are_listed_in_order() -> None:
    replies, keys = store(), ["ff" + "0" * 62, "00" + "1" * 62, "00" + "0" * 62]
    assert list(replies.keys()) == []
    for key in keys:
        replies.put(reply(key))
    assert list(replies.keys()) == sorted(keys)


def test_the_same_reply_has_the_same_bytes(tmp_path: Path) -> None:
    key = "0" * 64
    for folder in ("one", "two"):
        store(str(tmp_path / folder)).put(reply(key))
    names = [tmp_path / folder / reply_name(key) for folder in ("one", "two")]
    assert names[0].read_bytes() == names[1].read_bytes()


@pytest.mark.parametrize("damage", [b"", b"{", b"\x00" * 10, b'{"key": "x"}'], ids=["empty", "cut", "zeros", "other"])
def test_a_damaged_entry_is_named_with_what_to_do(damage: bytes) -> None:
    replies, key = store(), "1" * 64
    replies.files.write(reply_name(key), damage)
    with pytest.raises(StorageError, match=r"replies/11/1+\.json .* is damaged.*Delete that file"):
        replies.get(key)


def test_an_entry_under_the_wrong_name_is_damaged() -> None:
    replies = store()
    replies.put(reply("2" * 64))
    data = replies.files.read(reply_name("2" * 64))
    assert data
    replies.files.write(reply_name("3" * 64), data)
    with pytest.raises(StorageError, match="holds the reply 2222"):
        replies.get("3" * 64)
