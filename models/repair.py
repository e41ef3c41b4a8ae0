"""How a reply that cannot be used is asked for once more: with more room, as another draw, or with what was wrong. A
refusal is an answer and is not argued with."""

from dataclasses import dataclass, replace

from core.calls import AnswerStatus, Proposal
from core.model_specs import ModelSpec
from models.base import ModelRequest
from models.reading import Reading
from models.requests import make_request

_MORE_ROOM = 2
_MAX_SAID = 20_000
_TOLD = (
    "Your reply cannot be used: {detail}. Give the whole reply again as one JSON object that fits the schema, and "
    "nothing else."
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in one turn; `more_room`: with more tokens allowed than the model's parameters say."""

    proposal: Proposal
    draw: int
    more_room: bool = False

    def request(self, spec: ModelSpec) -> ModelRequest:
        if self.more_room:
            parameters = spec.parameters.model_copy(update={"max_tokens": spec.parameters.max_tokens * _MORE_ROOM})
            spec = spec.model_copy(update={"parameters": parameters})
        return make_request(self.proposal, spec, self.draw)


def mend(question: Question, reading: Reading, said: str) -> Question | None:
    """What to ask next, None where asking again is of no use."""
    match reading.status:
        case AnswerStatus.TRUNCATED if not question.more_room:
            return replace(question, more_room=True)
        case AnswerStatus.EMPTY:
            return replace(question, draw=question.draw + 1)
        case AnswerStatus.UNPARSABLE:
            told = _TOLD.format(detail=reading.detail)
            return replace(question, proposal=question.proposal.followed_by(said[:_MAX_SAID], told))
        case _:
            return None
