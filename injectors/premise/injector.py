"""The stages of a premise question as one conversation: picture, premise, caption, question (J-1). The last is written
by a model that is shown texts alone."""

from dataclasses import dataclass

from core.calls import Answer, Proposal
from core.premises import PremiseQuestion
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.captioning import propose_caption, read_caption
from injectors.premise.extraction import premise_of, propose_extraction, read_extraction
from injectors.premise.questioning import propose_question, read_question
from injectors.premise.replies import CaptionReply, ExtractionReply, NegativeReply, PairReply, PositiveReply
from injectors.rewriting import MadeBy


@dataclass(frozen=True, slots=True)
class PremiseInjector:
    """What `converse` takes. `label` None makes matched pairs: both questions of one frame, the default. True or False
    makes one question of that label by the published scheme, where each label has other pictures
    (`pairing: independent`)."""

    subtype: PremiseSubtype
    label: bool | None = None

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        """The first question to a model, or why there is none: the sample has not exactly one picture."""
        return propose_extraction(sample, self.subtype, context)

    def accept(
        self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext
    ) -> tuple[PremiseQuestion, ...] | Rejection | Proposal:
        """`answers` are all so far, each with the status OK. NO_PREMISE when the picture shows none of that kind, which
        is final for this picture and subtype. A Proposal is the next stage; the tuple is never empty."""
        subtype = self.subtype
        match [answer.value for answer in answers]:
            case [ExtractionReply() as reply]:
                found = read_extraction(sample, subtype, reply)
                return found if isinstance(found, Rejection) else propose_caption(sample, subtype, found, context)
            case [ExtractionReply() as first, CaptionReply() as reply]:
                read = read_caption(sample, subtype, premise_of(first), reply)
                return read if isinstance(read, Rejection) else propose_question(sample, read, self.label, context)
            case [
                ExtractionReply() as first,
                CaptionReply() as second,
                PairReply() | PositiveReply() | NegativeReply() as reply,
            ]:
                read = read_caption(sample, subtype, premise_of(first), second)
                made_by = _made_by(sample, answers)
                return read if isinstance(read, Rejection) else read_question(sample, read, reply, made_by)
            case _:
                return Rejection(RejectionReason.REPLY_UNPARSABLE, "the reply is not of the stage that was asked")


def _made_by(sample: Sample, answers: tuple[Answer, ...]) -> MadeBy:
    """Whoever looked at the picture and whoever wrote the question: both made it (A9)."""
    models = dict.fromkeys(answer.model for answer in answers)
    families = dict.fromkeys((*sample.families, *(answer.family for answer in answers)))
    return MadeBy("+".join(models), tuple(families))
