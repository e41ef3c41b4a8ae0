"""Replies in the object store."""

from pathlib import Path
from uuid import uuid4

import pytest

from core.calls import AnswerStatus
from core.errors import StorageError
from core.model_specs import Parameters
from models.base import Message, ModelRequest, StoredReply, TextPart
from models.reply_store import ReplyStore, reply_name
from models.requests import request_key
from storage.files import Files


def request(text: str = "你好 \u2028") -> ModelRequest:
    return ModelRequest(
        provider="openai",
        model="m",
        base_url=None,
        system="",
        messages=(Message(role="user", parts=(TextPart(text=text),)),),
        parameters=Parameters(),
    )


def reply(text: str = "a", body: str = '{"a": 1}') -> StoredReply:
    asked = request(text)
    return StoredReply(
        key=request_key(asked), request=asked, body=body, status=AnswerStatus.OK, usd=0.1, asked="2026-01-01"
    )


def store(url: str | None = None) -> ReplyStore:
    return ReplyStore(Files(url or f"memory://replies-{uuid4().hex}"))


def test_what_is_put_is_got_by_another_store_over_the_same_folder(tmp_path: Path) -> None:
    key = request_key(request())
    assert store(str(tmp_path)).get(key) is None
    store(str(tmp_path)).put(reply("你好 \u2028"))
    assert store(str(tmp_path)).get(key) == reply("你好 \u2028")
    assert (tmp_path / "replies" / key[:2] / f"{key[2:]}.json").is_file()


@pytest.mark.parametrize("url", ["memory://replies-first", "{folder}"], ids=["memory", "local"])
def test_a_later_reply_does_not_replace_the_first_and_gives_way_to_it(url: str, tmp_path: Path) -> None:
    one, other = (store(url.format(folder=tmp_path)) for _ in range(2))
    first, second = reply(body="first"), reply(body="second")
    assert one.put(first) == first
    assert other.put(second) == first
    assert one.get(first.key) == other.get(first.key) == first


def test_keys_are_listed_in_order() -> None:
    replies, stored = store(), [reply(str(number)) for number in range(600)]
    assert list(replies.keys()) == []
    for one in stored:
        replies.put(one)
    assert list(replies.keys()) == sorted(one.key for one in stored)


@pytest.mark.parametrize("key", ["a\0b", "../../../etc/passwd", "", "1" * 63, "A" * 64, "1" * 64 + "\n", "\ud800" * 64])
def test_what_is_no_key_leads_to_no_file(key: str, tmp_path: Path) -> None:
    replies = store(str(tmp_path / "objects"))
    for use in (replies.get, replies.request, replies.has, replies.remove):
        with pytest.raises(StorageError, match=r"is no key of a reply.*\. Take keys from") as caught:
            use(key)
        assert caught.value.message.isprintable()


def test_files_of_others_are_no_replies(tmp_path: Path) -> None:
    replies, name = store(str(tmp_path)), reply_name(reply().key)
    replies.put(reply())
    (tmp_path / name).with_name(".DS_Store").touch()
    assert list(replies.keys()) == replies.find(reply().key[:2]) == [reply().key]


def test_the_same_reply_has_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        store(str(tmp_path / folder)).put(reply())
    names = [tmp_path / folder / reply_name(reply().key) for folder in ("one", "two")]
    assert names[0].read_bytes() == names[1].read_bytes()


@pytest.mark.parametrize("damage", [b"", b"{", b"\x00" * 10, b'{"key": "x"}'], ids=["empty", "cut", "zeros", "other"])
def test_a_damaged_entry_is_named_with_what_to_do(damage: bytes) -> None:
    replies, key = store(), "1" * 64
    replies.files.write(reply_name(key), damage)
    with pytest.raises(StorageError, match=r"replies/11/1+\.json .* is damaged.*Delete that file"):
        replies.get(key)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('"key":"', '"key":"0', "holds the reply 0"),
        ('"text":"a"', '"text":"b"', "holds the reply to another request, [0-9a-f]{64}"),
        ('"usd":0.1', '"usd":-0.1', r"greater than or equal to 0 \(usd\)"),
        ('"usd":0.1', '"usd":Infinity', r"\(usd\)"),
        ('"usd":0.1', '"usd":1e999', r"finite number \(usd\)"),
        ('"prompt":null', '"prompt":-1', r"\(usage.prompt\)"),
        ('"prompt":null', '"prompt":1.5', r"\(usage.prompt\)"),
        ('"body":"', '"bodies":"', r"\(bodies\)"),
    ],
    ids=["key", "request", "negative", "infinity", "infinite", "tokens", "fraction", "field"],
)
def test_an_entry_that_cannot_be_true_is_damaged(before: str, after: str, reason: str) -> None:
    replies, name = store(), reply_name(reply().key)
    replies.put(reply())
    text = (replies.files.read(name) or b"").decode()
    assert before in text
    replies.files.write(name, text.replace(before, after).encode())
    with pytest.raises(StorageError, match=f"{name} .* is damaged: .*{reason}.*Delete that file"):
        replies.get(reply().key)


def test_a_request_that_a_replay_missed_is_kept_beside_those_of_replies() -> None:
    replies, missed = store(), request("missed")
    assert replies.request(request_key(missed)) is None
    replies.note_missed(missed)
    assert replies.request(request_key(missed)) == missed
    assert replies.get(request_key(missed)) is None
    replies.put(reply())
    assert replies.request(reply().key) == reply().request
