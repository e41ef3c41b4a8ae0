"""The five injectors that have texts rewritten (M-11) are one: they differ in what they refuse, what they may change
and what a reply of theirs has to show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.calls import Answer, Proposal, Role
from core.records import FlawedSample, Sample
from core.taxonomy import DEFINITIONS, Subtype
from injectors.base import Injection, PromptContext, Rejection, RejectionReason
from injectors.passages import has_words
from injectors.prompted.checks import Allowed, find_fault
from injectors.prompted.composing import compose
from injectors.prompted.examples import draw_examples
from injectors.prompted.layout import LANGUAGE_NAMES, Asking, make_proposal, show_examples, show_question
from injectors.prompted.replies import TextFlawReply
from injectors.rewriting import MadeBy, Rewriting, make_injection

Reply = TypeVar("Reply", bound=TextFlawReply)

PROMPT_VERSION = 1


@dataclass(frozen=True, slots=True)
class TextFlaw(Generic[Reply]):
    """`refuse` says why a sample is not asked about, `check` what the reply of this subtype does not show."""

    subtype: Subtype
    version: int
    reply: type[Reply]
    allowed: Allowed
    refuse: Callable[[Sample], Rejection | None]
    check: Callable[[Sample, FlawedSample, Reply], Rejection | None]

    def propose(self, sample: Sample, context: PromptContext) -> Proposal | Rejection:
        """The whole question with its pictures, after a few examples in its language (M-11, A12)."""
        refusal = refuse_without_text(sample) or self.refuse(sample)
        if refusal is not None:
            return refusal
        examples = draw_examples(self.subtype, self.reply, sample, context)
        return make_proposal(
            Asking(self.subtype, PROMPT_VERSION, Role.GENERATOR, self.reply),
            {
                "definition": DEFINITIONS[self.subtype].definition,
                "language": LANGUAGE_NAMES[sample.language],
            },
            {"examples": show_examples(examples), "question": show_question(sample)},
        )

    def accept(self, sample: Sample, answers: tuple[Answer, ...], context: PromptContext) -> Injection | Rejection:
        reply = answers[-1].value if answers else None
        if not isinstance(reply, self.reply):
            return Rejection(RejectionReason.REPLY_UNPARSABLE, f"the reply is no {self.reply.__name__}")
        if not reply.possible:
            return Rejection(RejectionReason.MODEL_DECLINED, reply.why_unanswerable or "the model declined")
        if not (reply.premise.strip() and reply.why_unanswerable.strip()):
            return Rejection(RejectionReason.TOO_WEAK, "`premise` and `why_unanswerable` must say what the flaw breaks")
        changes = compose(sample, reply.edits)
        if isinstance(changes, Rejection):
            return changes
        drops = reply.drop_options and bool(sample.options)
        rewriting = Rewriting(changes, explain(reply.premise, reply.why_unanswerable), drop_options=drops)
        injection = make_injection(sample, self.subtype, self.version, rewriting, made_by(sample, answers))
        fault = find_fault(sample, injection.candidate, self.allowed)
        return fault or self.check(sample, injection.candidate, reply) or injection


def made_by(sample: Sample, answers: tuple[Answer, ...]) -> MadeBy:
    """The model that was asked first, and every family that touched the sample, that of its rewriter too (A9)."""
    families = dict.fromkeys((*sample.families, *(answer.family for answer in answers)))
    return MadeBy(answers[0].model, tuple(families))


def explain(premise: str, why: str) -> str:
    return f"Attacked: {premise.strip()} {why.strip()}"


def refuse_without_text(sample: Sample) -> Rejection | None:
    if sample.question_in_picture:
        return Rejection(RejectionReason.QUESTION_IN_PICTURE, "the question stands in the picture, not in the text")
    if not has_words(f"{sample.context or ''}\n{sample.query or ''}"):
        return Rejection(RejectionReason.NO_TEXT, "there is no text to change")
    return None


def refuse_without_query(sample: Sample) -> Rejection | None:
    if has_words(sample.query or ""):
        return None
    return Rejection(RejectionReason.NO_TEXT, "the sample has no query")
