"""The door to the models, with the scripted model behind it: what is stored, shared, replayed and told. What servers do
is tested in tests/integration/test_model_calls.py."""

import asyncio
import re
from pathlib import Path

import numpy as np
import pytest

from core.calls import AnswerStatus, Proposal, Role
from core.errors import ConfigurationError, ModelCallError, StorageError
from core.model_specs import GeneratorShare, Limits, ModelSpec, ModelsRecipe, Price
from core.pictures import encode_png
from core.records import Blob, Picture, Record, Stage
from core.taxonomy import Subtype
from models.call_rows import call_rows
from models.caller import Caller, Outcome
from models.differences import explain_difference
from models.ledger import Ledger
from models.reply_store import ReplyStore, reply_name
from storage.files import TEMPORARY_FOLDER, Files

SPEC = ModelSpec(provider="scripted", name="scripted", family="none")
NOISE = np.random.default_rng(1).integers(0, 256, (60, 80, 3), dtype=np.uint8)


class Reply(Record):
    answer: str
    count: int


class Room:
    """One folder with what a caller needs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blobs: dict[Picture, bytes] = {}
        self.order: list[str] = []

    def ask(
        self,
        *proposals: Proposal,
        draw: int = 0,
        replay: bool = False,
        retry_failed: bool = False,
        **changes: object,
    ) -> list[Outcome]:
        async def work() -> list[Outcome]:
            caller = self.caller(replay, retry_failed, **changes)
            try:
                return await asyncio.gather(*(caller.ask(proposal, "a", draw) for proposal in proposals))
            finally:
                await caller.close()

        return asyncio.run(work())

    def caller(self, replay: bool = False, retry_failed: bool = False, **changes: object) -> Caller:
        models = ModelsRecipe(name="m", models={"a": SPEC}, generators=(GeneratorShare(model="a", share=1),))
        return Caller(
            models=models.model_copy(update=changes),
            store=ReplyStore(Files(str(self.folder / "objects"))),
            ledger=Ledger(self.folder / "spending" / "b"),
            read_picture=lambda picture: self.blobs[picture],
            put_blob=self._put,
            environment={},
            build="b",
            replay=replay,
            retry_failed=retry_failed,
        )

    def replies(self) -> list[Path]:
        return sorted((self.folder / "objects" / "replies").rglob("*.json"))

    def _put(self, blob: Blob) -> None:
        assert not [path for path in self.replies() if blob.picture.sha256 in path.read_text()], "before the reply"
        self.blobs[blob.picture] = blob.data


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def question(text: str = "hello", reply: type[Record] | None = None) -> Proposal:
    return Proposal(Role.GENERATOR, "p@1", "f" * 64, "system", (text,), reply)


def test_an_answer_is_the_record_asked_for_and_its_reply_is_stored(room: Room) -> None:
    (outcome,) = room.ask(question(reply=Reply))
    assert outcome.answer.status is AnswerStatus.OK
    assert isinstance(outcome.answer.value, Reply)
    assert (outcome.answer.model, outcome.answer.family) == ("scripted:scripted", "none")
    (asked,) = outcome.asked
    assert asked.paid
    assert room.replies() == [room.folder / "objects" / reply_name(asked.reply.key)]


def test_the_same_question_asked_many_times_at_once_is_asked_once(room: Room) -> None:
    outcomes = room.ask(*[question()] * 20)
    assert sum(outcome.asked[0].paid for outcome in outcomes) == 1
    assert len({outcome.asked[0].reply.key for outcome in outcomes}) == len(room.replies()) == 1


def test_a_stored_reply_is_not_paid_again(room: Room) -> None:
    first, second = room.ask(question(reply=Reply)), room.ask(question(reply=Reply))
    assert first[0].answer == second[0].answer
    assert (first[0].asked[0].paid, second[0].asked[0].paid) == (True, False)
    assert len(Ledger(room.folder / "spending" / "b").payments()) == 1


def test_another_draw_is_another_reply(room: Room) -> None:
    room.ask(question())
    assert room.ask(question(), draw=1)[0].asked[0].paid
    assert len(room.replies()) == 2


def test_a_made_picture_is_stored_before_its_reply_and_found_again(room: Room) -> None:
    shown = encode_png(NOISE)
    room.blobs[shown.picture] = shown.data
    wanted = Proposal(Role.IMAGE_EDITOR, "p@1", "f" * 64, "", ("Paint it red.", shown.picture), wants_picture=True)
    (first,) = room.ask(wanted)
    (made,) = first.answer.pictures
    assert room.blobs[made.picture] == made.data
    (again,) = room.ask(wanted)
    assert again.answer == first.answer
    assert not again.asked[0].paid


def test_a_replay_gives_the_same_and_an_absent_reply_is_an_error_that_names_its_key(room: Room) -> None:
    (first,) = room.ask(question())
    (again,) = room.ask(question(), replay=True)
    assert again.answer == first.answer
    with pytest.raises(ModelCallError, match=r"no stored reply [0-9a-f]{64} of scripted:scripted") as missed:
        room.ask(question("other"), replay=True)
    store = ReplyStore(Files(str(room.folder / "objects")))
    key = re.findall(r"[0-9a-f]{64}", missed.value.fix)[0]
    request = store.request(key)
    assert request
    assert store.get(key) is None
    (difference,) = explain_difference(request, first.asked[0].reply.request)
    assert "the text that is part 1 of message 1" in difference


def test_one_model_is_replayed_while_others_are_asked(room: Room) -> None:
    (first,) = room.ask(question())
    replayed = {"a": SPEC.model_copy(update={"replay": True})}
    (again,) = room.ask(question(), retry_failed=True, models=replayed)
    assert (again.answer, again.asked[0].paid) == (first.answer, False)
    with pytest.raises(ModelCallError, match=r"no stored reply [0-9a-f]{64} of scripted:scripted") as missed:
        room.ask(question("other"), models=replayed)
    assert "`models.a.replay` in the file of models" in missed.value.fix
    assert len(room.replies()) == 1


def test_a_damaged_reply_is_an_error_that_names_its_file(room: Room) -> None:
    room.ask(question())
    (path,) = room.replies()
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StorageError, match=f"{path.parent.name}/{path.name}.*Delete that file"):
        room.ask(question())


def test_a_body_of_another_provider_is_damage_too(room: Room) -> None:
    room.ask(question())
    (path,) = room.replies()
    path.write_text(path.read_text().replace('scripted\\":', 'else\\":'))
    with pytest.raises(StorageError, match="no reply of scripted:scripted"):
        room.ask(question())


def test_an_unknown_model_is_named_with_those_there_are(room: Room) -> None:
    async def work() -> None:
        await room.caller().ask(question(), "b")

    with pytest.raises(ConfigurationError, match=r"no model 'b' in the recipe\. Use one of: a"):
        asyncio.run(work())


def test_a_reply_without_a_count_of_tokens_costs_the_worst_case(room: Room) -> None:
    price = Price(input=1.0, output=100.0, date="2026-01-01")
    (outcome,) = room.ask(question(), prices={"scripted": price})
    reply = outcome.asked[0].reply
    assert reply.usd == pytest.approx((len("system" + "hello") + 200) * 1e-6 + 8192 * 100e-6)
    assert reply.price_date == "2026-01-01"
    (payment,) = Ledger(room.folder / "spending" / "b").payments()
    assert (payment.key, payment.usd, payment.model) == (reply.key, reply.usd, "scripted:scripted")


def test_without_a_price_the_cost_is_unknown_and_not_zero(room: Room) -> None:
    assert room.ask(question())[0].asked[0].reply.usd is None


def test_calls_of_the_lineage_say_what_the_replies_say(room: Room) -> None:
    (outcome,) = room.ask(question(reply=Reply))
    answer, calls = call_rows(outcome, Stage.INJECT, "smp_1", Subtype.AMBIGUITY)
    (call,) = calls
    reply = outcome.asked[0].reply
    assert answer.call == call.id
    assert (call.reply, call.item, call.subtype, call.role) == (reply.key, "smp_1", Subtype.AMBIGUITY, "generator")
    assert (call.provider, call.model, call.family) == ("scripted", "scripted", "none")
    assert (call.prompt, call.prompt_hash, call.status) == ("p@1", "f" * 64, "ok")
    (again,) = room.ask(question(reply=Reply))
    assert call_rows(again, Stage.INJECT, "smp_1", Subtype.AMBIGUITY)[1] == calls


def test_a_reply_that_cannot_be_kept_stops_the_sending_and_the_next_run_goes_on(room: Room) -> None:
    """A full disk, for one."""
    slow = {"a": SPEC.model_copy(update={"limits": Limits(concurrency=4)})}
    questions = [question(str(number)) for number in range(100)]
    temporary = room.folder / "objects" / TEMPORARY_FOLDER

    async def work() -> list[Outcome | BaseException]:
        caller = room.caller(models=slow)
        await caller.ask(question("first"), "a")
        temporary.rename(room.folder / "away")
        temporary.write_bytes(b"")
        try:
            return await asyncio.gather(*(caller.ask(one, "a") for one in questions), return_exceptions=True)
        finally:
            temporary.unlink()  # before it is closed: else the next run takes it for one that still works, and waits
            await caller.close()

    results = asyncio.run(work())
    assert {type(result) for result in results} == {StorageError}
    assert "scripted:scripted could not be kept, so nothing more is sent: " in str(results[0])
    assert "Free space" in str(results[0])
    ledger = Ledger(room.folder / "spending" / "b")
    assert 1 <= len(ledger.attempts()) <= 4
    assert len(ledger.payments()) == len(room.replies()) == 1
    assert [one.asked[0].paid for one in room.ask(question("first"), *questions)] == [False] + [True] * 100


@pytest.mark.parametrize("status", [AnswerStatus.FAILED, AnswerStatus.REFUSED])
def test_what_failed_or_was_refused_is_asked_again_only_on_purpose(room: Room, status: AnswerStatus) -> None:
    lost, good = question("lost"), question("good")
    (first, _) = room.ask(lost, good)
    reply = first.asked[0].reply
    ended = (
        {"status": status, "body": None, "failure": "HTTP 400: no"}
        if status is AnswerStatus.FAILED
        else {"status": status}
    )
    (room.folder / "objects" / reply_name(reply.key)).write_text(reply.model_copy(update=ended).model_dump_json())
    assert [outcome.asked[0].paid for outcome in room.ask(lost, good)] == [False, False]
    again = room.ask(lost, good, retry_failed=True)
    assert [outcome.asked[0].paid for outcome in again] == [True, False]
    assert again[0].answer.status is AnswerStatus.OK
    assert [outcome.asked[0].paid for outcome in room.ask(lost, good, retry_failed=True)] == [False, False]


def test_closing_twice_harms_nothing(room: Room) -> None:
    async def work() -> None:
        caller = room.caller()
        await caller.ask(question(), "a")
        await caller.close()
        await caller.close()

    asyncio.run(asyncio.wait_for(work(), 5))
