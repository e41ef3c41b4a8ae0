"""Cross-modal contradiction by rule: a statement of the text about what its picture shows is turned into another one. The text
must itself say that the picture shows it; all mentions change, so that only a look at the picture reveals the conflict."""

import re

from core.records import Sample
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.depictions import FINDERS, Restatement, pointing_sentences
from injectors.goals import refuse_without_request
from injectors.passages import Passage, passages
from injectors.rewriting import Change, Rewriting, make_injection


class CrossModalContradiction:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.CROSS_MODAL_CONTRADICTION
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        if not sample.pictures:
            return Rejection(RejectionReason.NO_PICTURE, "there is no picture that the text could contradict")
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        texts = passages(sample)
        if not any(pointing_sentences(passage, sample.language) for passage in texts):
            return Rejection(RejectionReason.TEXT_DOES_NOT_NEED_PICTURE, "no sentence says what the picture shows")
        found = [(passage, restatement) for passage in texts for restatement in _restatements(sample, passage, context)]
        if not found:
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, "nothing that the text says of the picture can be turned round safely")
        passage, chosen = context.stream.choice(found)
        changes = tuple(Change(passage.part, *place, after) for place, after in chosen.places)
        return make_injection(sample, self.subtype, self.version, Rewriting(changes, _explain(chosen)))


def _restatements(sample: Sample, passage: Passage, context: InjectionContext) -> list[Restatement]:
    """What can be restated in one part without a word of it standing in the other part or in an option."""
    shown = pointing_sentences(passage, sample.language)
    others = [*(one.text for one in passages(sample) if one.part is not passage.part), *sample.options]
    found = [one for find in FINDERS for one in find(passage.text, shown, sample.language, context.stream)]
    return [one for one in found if not any(_mentions(text, one) for text in others)]


def _mentions(text: str, restatement: Restatement) -> bool:
    words = (restatement.before.lower(), restatement.after.lower())
    return any(re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text.lower()) for word in words)


def _explain(restatement: Restatement) -> str:
    return (
        f'"{restatement.before}" became "{restatement.after}" wherever the text says it. The text speaks of what the picture shows, and '
        f"the picture shows {restatement.attribute} otherwise, so text and picture cannot both hold and the question has no settled "
        "answer."
    )


CROSS_MODAL_CONTRADICTION = CrossModalContradiction()
