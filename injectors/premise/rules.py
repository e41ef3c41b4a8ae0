"""Premises without a model: those of the shipped starter pictures, which we wrote ourselves, found by the hash of the
picture. They pass the same checks as what a model writes."""

from core.errors import ConfigurationError
from core.premises import PremiseQuestion
from core.records import Sample
from core.taxonomy import PremiseSubtype
from injectors.base import PromptContext, Rejection, RejectionReason
from injectors.premise.entries import PREMISES_FILE, Entry, entries_by_picture
from injectors.premise.questioning import make_pair
from injectors.premise.replies import PairReply
from injectors.rewriting import BY_RULES


def premise_rules(
    sample: Sample, subtype: PremiseSubtype, context: PromptContext, label: bool | None = None
) -> tuple[PremiseQuestion, ...] | Rejection:
    """Both questions of every matched pair that is on file for the only picture of the sample, in its language, the
    positive of a pair first. With `label`, that question of one of the pairs, drawn, as an independent one. NO_PREMISE
    when there is none."""
    if len(sample.pictures) != 1:
        detail = f"the sample has {len(sample.pictures)} pictures"
        return Rejection(RejectionReason.NOT_ONE_PICTURE if sample.pictures else RejectionReason.NO_PICTURE, detail)
    known = entries_by_picture().get(sample.pictures[0].sha256, ())
    entries = [entry for entry in known if entry.subtype is subtype]
    if not entries:
        return Rejection(RejectionReason.NO_PREMISE, "no premise of this kind is on file for the picture")
    if label is None:
        return tuple(question for entry in entries for question in make_questions(sample, entry))
    return (_alone(make_questions(sample, context.stream.choice(entries))[0 if label else 1]),)


def make_questions(sample: Sample, entry: Entry) -> tuple[PremiseQuestion, ...]:
    """Raises ConfigurationError that says which check an entry of the file fails."""
    text = entry.text(sample.language)
    reply = PairReply(possible=True, replacement=text.replacement, frame=text.frame, answer=text.answer)
    made = make_pair(sample, entry.premise(sample.language), reply, BY_RULES)
    if isinstance(made, Rejection):
        raise ConfigurationError(
            f"{PREMISES_FILE.name}: {entry.picture}, {entry.subtype}, {sample.language}: {made.reason}: {made.detail}.",
            "Correct this entry.",
        )
    return made


def _alone(question: PremiseQuestion) -> PremiseQuestion:
    kept = None if question.label else question.replacement
    return question.model_copy(update={"pair": None, "replacement": kept})
