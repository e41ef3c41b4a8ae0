"""Replies on their way to the disk: of two that were paid for one request the first is used by both, and no payment is
lost or counted twice."""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from core.calls import AnswerStatus
from core.model_specs import Limits, ModelSpec, Parameters
from core.records import Picture
from models.base import Asked, Message, ModelRequest, StoredReply, TextPart
from models.disk import Disk
from models.ledger import Ledger
from models.lines import Line
from models.pace import Pace
from models.payments import Payment
from models.providers.scripted import ScriptedProvider, parse_scripted
from models.reading import read_reply
from models.reply_store import ReplyStore
from models.requests import request_key
from models.shelf import Fetched, Shelf, Surroundings
from storage.files import Files

Result = TypeVar("Result")
LINE = Line(
    "a", "m.yaml", ModelSpec(provider="scripted", name="s", family="f"), ScriptedProvider(), Pace(Limits()), price=None
)
REQUEST = ModelRequest(
    provider="scripted",
    model="s",
    base_url=None,
    system="",
    messages=(Message(role="user", parts=(TextPart(text="a"),)),),
    parameters=Parameters(),
)
KEY = request_key(REQUEST)


def read_nothing(picture: Picture) -> bytes:
    raise AssertionError(picture)


class Process:
    """One of several over one store; each with the ledger of its own build."""

    def __init__(self, folder: Path, build: str) -> None:
        self.ledger = Ledger(folder / build)
        self.store = ReplyStore(Files(str(folder / "objects")))
        self._around = Surroundings(self.store, self.ledger, read_nothing, lambda blob: None, build)

    def run(self, work: Callable[[Shelf], Coroutine[Any, Any, Result]]) -> Result:
        async def shelve() -> Result:
            disk = Disk()
            try:
                return await work(Shelf(self._around, disk))
            finally:
                disk.close()

        return asyncio.run(shelve())

    def make_reply(self, text: str, usd: float) -> StoredReply:
        """As received, in an attempt that the ledger knows."""
        attempt = self.ledger.make_attempt(KEY, 1.0, "scripted:s", False, "2026-01-01")
        self.ledger.open(attempt)
        body = json.dumps({"scripted": text, "model": "s"})
        return StoredReply(
            key=KEY,
            request=REQUEST,
            body=body,
            status=AnswerStatus.OK,
            usd=usd,
            asked="2026-01-01",
            paid_as=attempt.id,
        )

    def keep(self, text: str, usd: float) -> Fetched:
        stored = self.make_reply(text, usd)
        parsed = parse_scripted(stored.body or "")
        new = Fetched(Asked(stored, parsed, True), read_reply(parsed, None))
        return self.run(lambda shelf: shelf.keep(LINE, new, None))

    def fail(self) -> Fetched:
        failure = StoredReply(key=KEY, request=REQUEST, failure="400", status=AnswerStatus.FAILED, asked="2026-01-02")
        return self.run(lambda shelf: shelf.keep_failure(failure, None))

    def look_up(self) -> Fetched | None:
        return self.run(lambda shelf: shelf.look_up(LINE, KEY, None))


def test_of_two_that_paid_for_one_request_both_use_the_first_reply_and_it_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = Process(tmp_path, "one"), Process(tmp_path, "other")
    with caplog.at_level(logging.WARNING):
        assert one.keep("first", 0.1).asked.parsed.text == "first"
        assert caplog.messages == []
        second = other.keep("second", 0.2)
    assert (second.asked.parsed.text, second.asked.paid) == ("first", True)
    assert second.asked.reply == one.store.get(KEY)
    (said,) = caplog.messages
    assert f"Reply {KEY} was paid twice" in said
    assert (one.ledger.spent(), other.ledger.spent()) == (0.1, 0.2)
    assert (one.ledger.unanswered(), other.ledger.unanswered()) == (0, 0)


def test_a_failure_gives_way_to_the_reply_that_was_stored_first_and_the_other_way_round(tmp_path: Path) -> None:
    for folder, puts in ((tmp_path / "reply", ("keep", "fail")), (tmp_path / "failure", ("fail", "keep"))):
        one, other = Process(folder, "one"), Process(folder, "other")
        found = [
            (process.keep("text", 0.1) if put == "keep" else process.fail()).asked.reply
            for process, put in zip((one, other), puts, strict=True)
        ]
        assert found[0] == found[1] == one.store.get(KEY)


def test_a_reply_whose_payment_was_not_noted_is_added_to_its_ledger_once_and_to_no_other(tmp_path: Path) -> None:
    killed, stranger = Process(tmp_path, "one"), Process(tmp_path, "other")
    killed.store.put(killed.make_reply("text", 0.1))
    again = Process(tmp_path, "one")
    assert (again.ledger.spent(), again.ledger.unanswered()) == (0, 1.0)
    for process in (again, again, Process(tmp_path, "one"), stranger):
        found = process.look_up()
        assert found
        assert not found.asked.paid
    assert (Ledger(tmp_path / "one").spent(), Ledger(tmp_path / "one").unanswered()) == (0.1, 0)
    (payment,) = Ledger(tmp_path / "one").payments()
    assert (payment.key, payment.usd, payment.model) == (KEY, 0.1, "scripted:s")
    assert stranger.ledger.payments() == []


def test_a_payment_that_two_processes_note_for_one_attempt_counts_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    attempt = ledger.make_attempt("k", 1.0, "m", False, "2026-01-01")
    ledger.open(attempt)
    for process in (ledger, Ledger(tmp_path)):
        process.add(Payment(key="k", usd=0.1, model="m", time="2026-01-01", attempt=attempt.id))
    assert Ledger(tmp_path).spent() == ledger.spent() == 0.1
    assert len(ledger.payments()) == 1
