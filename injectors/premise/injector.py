"""The stages of a premise question as one conversation: picture, premise, caption, question (J-1). The last is written
by a model that is shown texts alone."""

from dataclasses import dataclass

from core.calls import Answer, Proposal
from core.premises import PremiseQuestion
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason


@dataclass(frozen=True, slots=True)
class PremiseInjector:
    """`label` None makes matched pairs: both questions of one frame, the default. True or False makes one question of
    that label by the published scheme, where each label has other pictures (`pairing: independent`)."""

    label: bool | None = None
    version: int = 1

    def propose(self, sample: Sample, subtype: PremiseSubtype, context: PromptContext) -> Proposal | Rejection:
        """The first question to a model, or why there is none: the sample has not exactly one picture."""
        return Rejection(RejectionReason.NOT_ONE_PICTURE, "not built yet")

    def accept(
        self, sample: Sample, subtype: PremiseSubtype, answers: tuple[Answer, ...], context: PromptContext
    ) -> tuple[PremiseQuestion, ...] | Rejection | Proposal:
        """`answers` are all so far, each with the status OK. NO_PREMISE when the picture shows none of that kind, which is
        final for this picture and subtype. A Proposal is the next stage; the tuple is never empty."""
        return Rejection(RejectionReason.NO_PREMISE, "not built yet")

    def on(self, subtype: PremiseSubtype) -> "PremiseAsker":
        """What `converse` takes."""
        return PremiseAsker(self, subtype)


@dataclass(frozen=True, slots=True)
class PremiseAsker:
    injector: PremiseInjector
    subtype: PremiseSubtype

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        return self.injector.propose(sample, self.subtype, context)

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> tuple[PremiseQuestion, ...] | Rejection | Proposal:
        return self.injector.accept(sample, self.subtype, answers, context)
