"""One sample and the models that it is put before: the pure halves of injectors and filters on one side, the caller on
the other. What a model is asked, and asked again, is decided here once for every kind of question."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from core.calls import Answer, AnswerStatus, Proposal
from core.records import Sample
from injectors.base import PromptContext, Rejection, RejectionReason

Result = TypeVar("Result", covariant=True)
Ask = Callable[[Proposal], Awaitable[Answer]]

_REASONS = {
    AnswerStatus.TRUNCATED: RejectionReason.REPLY_TRUNCATED,
    AnswerStatus.REFUSED: RejectionReason.REPLY_REFUSED,
    AnswerStatus.EMPTY: RejectionReason.REPLY_EMPTY,
    AnswerStatus.UNPARSABLE: RejectionReason.REPLY_UNPARSABLE,
    AnswerStatus.FAILED: RejectionReason.REPLY_FAILED,
}
_MEND = (
    "Your reply cannot be used: {detail} Mend exactly that and reply once more, whole and in the same form. If it "
    "cannot be mended, decline."
)


_FINAL = (RejectionReason.MODEL_DECLINED, RejectionReason.NO_PREMISE)


class Asker(Protocol[Result]):
    """An injector that asks a model, or the rewriter of sources: two pure halves."""

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection: ...
    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> Result | Rejection | Proposal: ...


async def converse(asker: Asker[Result], sample: Sample, context: PromptContext, ask: Ask) -> Result | Rejection:
    """Until there is a result or a rejection. What `accept` rejects is asked once more with the reason, and then no
    more; a model that declines or sees no premise is not asked again."""
    step = asker.propose(sample, context)
    answers: tuple[Answer, ...] = ()
    asked_again = False
    while isinstance(step, Proposal):
        answer = await ask(step)
        if answer.status is not AnswerStatus.OK:
            return Rejection(_REASONS[answer.status], answer.detail or answer.status.value)
        result = asker.accept(sample, (*answers, answer), context)
        if isinstance(result, Proposal):
            answers, step, asked_again = (*answers, answer), result, False
        elif not isinstance(result, Rejection) or asked_again or result.reason in _FINAL:
            return result
        else:
            step, asked_again = ask_again(step, answer, result), True
    return step


def ask_again(proposal: Proposal, answer: Answer, rejection: Rejection) -> Proposal:
    """The same question with what was wrong: as a further turn, or for pictures as a further sentence, since image
    models take no talk."""
    told = _MEND.format(detail=_sentence(rejection.detail))
    if proposal.wants_picture:
        return replace(proposal, parts=(*proposal.parts, told))
    return proposal.followed_by(answer.text, told)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "。", "!", "?")) else f"{text}."
