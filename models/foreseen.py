"""What a question would come to if it were asked now, as far as replies are stored: for plans, which ask nothing."""

from typing import NamedTuple

from core.calls import Answer, AnswerStatus, Proposal
from core.model_specs import ModelsRecipe
from core.records import Blob
from models.base import ModelRequest, Parsed, ReadPicture, StoredReply, Usage
from models.providers.registry import parse_stored
from models.reading import read_reply
from models.repair import Question, mend
from models.reply_store import ReplyStore
from models.requests import request_key


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
            parsed = self._parse(reply)
            reading = read_reply(parsed, question.proposal.reply)
            answer = Answer(
                status=reading.status,
                text=parsed.text,
                model=spec.id,
                family=spec.family,
                call="",
                value=reading.value,
                pictures=tuple(Blob(picture, self._read_picture(picture)) for picture in reply.pictures),
                detail=reading.detail,
            )
            question = mend(question, reading, parsed.text)
        return Foreseen(tuple(stored), None, answer)

    def _parse(self, reply: StoredReply) -> Parsed:
        if reply.body is None:
            return Parsed(AnswerStatus.FAILED, "", None, Usage(), None, detail=reply.failure or "")
        try:
            return parse_stored(reply.request.provider, reply.body)
        except ValueError as error:
            reason = f"its body is no reply of {reply.request.provider}:{reply.request.model}"
            raise self._store.damaged(reply.key, reason) from error
