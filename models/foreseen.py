"""What a question would come to if it were asked now, as far as replies are stored: for plans, which ask nothing."""

from typing import NamedTuple

from core.calls import Answer, Proposal
from core.model_specs import ModelsRecipe
from core.records import Blob
from models.base import ModelRequest, ReadPicture
from models.reading import make_answer, read_reply
from models.repair import Question, mend
from models.reply_store import ReplyStore
from models.requests import request_key
from models.shelf import parse_reply


class Foreseen(NamedTuple):
    """`stored` are the requests that need no payment, in order. The next one is `missing`, or there is an `answer`."""

    stored: tuple[ModelRequest, ...]
    missing: ModelRequest | None
    answer: Answer | None


class StoredAnswers:
    """Goes the way of `Caller.ask`, repairs included. Raises StorageError."""

    def __init__(self, models: ModelsRecipe, store: ReplyStore, read_picture: ReadPicture) -> None:
        self._models = models
        self._store = store
        self._read_picture = read_picture

    def find(self, proposal: Proposal, name: str) -> Foreseen:
        """`name` is a key of `models` in the recipe."""
        spec, stored = self._models.models[name], list[ModelRequest]()
        question: Question | None = Question(proposal, 0)
        answer: Answer | None = None
        while question and len(stored) <= self._models.repair_turns:
            request = question.request(spec)
            reply = self._store.get(request_key(request))
            if reply is None:
                return Foreseen(tuple(stored), request, None)
            stored.append(request)
            parsed = parse_reply(self._store, reply)
            reading = read_reply(parsed, question.proposal.reply)
            pictures = tuple(Blob(picture, self._read_picture(picture)) for picture in reply.pictures)
            answer = make_answer(spec, parsed.text, reading, pictures)
            question = mend(question, reading, parsed.text)
        return Foreseen(tuple(stored), None, answer)
