"""What a model is to be trained to say to a premise question (J-7)."""

from dataclasses import dataclass

from core.calls import Answer, Proposal
from core.premises import PremiseAnswer, PremiseQuestion
from core.records import Sample
from injectors.base import PromptContext, Rejection, RejectionReason


@dataclass(frozen=True, slots=True)
class AnswerWriter:
    """The teacher is shown the picture and told whether the premise holds; it may not quote that hint. `converse`
    takes it as it is."""

    question: PremiseQuestion

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        return Rejection(RejectionReason.MODEL_DECLINED, "not built yet")

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> PremiseAnswer | Rejection | Proposal:
        return Rejection(RejectionReason.MODEL_DECLINED, "not built yet")


def answer_by_rules(question: PremiseQuestion) -> PremiseAnswer | None:
    """Without a model, from premise, caption and answer of the question; None where the question has no answer."""
    return None
