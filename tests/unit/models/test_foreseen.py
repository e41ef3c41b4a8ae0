"""What stored replies say of questions that nobody asks now."""

import asyncio
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import AfterValidator

from core.calls import AnswerStatus, Proposal, Role
from core.errors import StorageError
from core.model_specs import GeneratorShare, ModelSpec, ModelsRecipe
from core.records import Record
from models.caller import Caller, Outcome
from models.foreseen import StoredAnswers
from models.ledger import Ledger
from models.reply_store import ReplyStore
from storage.files import Files

MODELS = ModelsRecipe(
    name="m",
    models={"a": ModelSpec(provider="scripted", name="scripted", family="none")},
    generators=(GeneratorShare(model="a", share=1),),
    repair_turns=2,
)


class Reply(Record):
    answer: str


def refuse(text: str) -> str:
    raise ValueError("never right")


class Strange(Record):
    """No reply is right, so that all are repaired in vain."""

    answer: Annotated[str, AfterValidator(refuse)]


@pytest.fixture
def store(tmp_path: Path) -> ReplyStore:
    return ReplyStore(Files(str(tmp_path / "objects")))


def question(text: str, reply: type[Record] | None = None) -> Proposal:
    return Proposal(Role.GENERATOR, "p@1", "f" * 64, "system", (text,), reply)


def ask(store: ReplyStore, proposal: Proposal, folder: Path) -> Outcome:
    async def work() -> Outcome:
        caller = Caller(MODELS, store, Ledger(folder), lambda _: b"", lambda _: None, {}, "b")
        try:
            return await caller.ask(proposal, "a")
        finally:
            await caller.close()

    return asyncio.run(work())


def find(store: ReplyStore, proposal: Proposal) -> tuple[int, bool, AnswerStatus | None]:
    found = StoredAnswers(MODELS, store, lambda _: b"").find(proposal, "a")
    return len(found.stored), found.missing is not None, found.answer.status if found.answer else None


def test_a_question_that_was_never_asked_is_missing_and_nothing_is_stored(store: ReplyStore) -> None:
    assert find(store, question("hello")) == (0, True, None)
    assert list(store.keys()) == []


@pytest.mark.parametrize("reply", [None, Reply, Strange], ids=["text", "json", "repaired"])
def test_the_answer_of_stored_replies_is_that_of_the_caller(
    store: ReplyStore, tmp_path: Path, reply: type[Record] | None
) -> None:
    asked = ask(store, question("hello", reply), tmp_path)
    found = StoredAnswers(MODELS, store, lambda _: b"").find(question("hello", reply), "a")
    assert found.answer == asked.answer
    assert list(found.stored) == [one.reply.request for one in asked.asked]
    assert found.missing is None


def test_a_repair_that_is_not_stored_is_what_is_missing(store: ReplyStore, tmp_path: Path) -> None:
    asked = ask(store, question("hello", Strange), tmp_path)
    assert len(asked.asked) == 3
    last = asked.asked[-1].reply
    (tmp_path / "objects" / "replies" / last.key[:2] / f"{last.key[2:]}.json").unlink()
    found = StoredAnswers(MODELS, store, lambda _: b"").find(question("hello", Strange), "a")
    assert (len(found.stored), found.missing, found.answer) == (2, last.request, None)


def test_a_damaged_reply_is_named(store: ReplyStore, tmp_path: Path) -> None:
    key = ask(store, question("hello"), tmp_path).asked[0].reply.key
    path = tmp_path / "objects" / "replies" / key[:2] / f"{key[2:]}.json"
    path.write_text(path.read_text().replace('scripted\\":', 'else\\":'))
    with pytest.raises(StorageError, match="no reply of scripted:scripted"):
        find(store, question("hello"))
