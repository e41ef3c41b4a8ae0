"""Cross-modal contradiction by rule: a statement of the text about what its picture shows is turned into another one.
The text must itself say that the picture shows it; all mentions change, so that only a look at the picture reveals the
conflict."""

import re

from core.records import Sample
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.depicted_counts import swapped_counts, swapped_grid, swapped_letter_shape
from injectors.depicted_geometry import swapped_geometry
from injectors.depicted_words import swapped_colours, swapped_things, swapped_words
from injectors.depictions import Finder, Restatement, pointing_sentences
from injectors.goals import refuse_without_request
from injectors.passages import Span, join
from injectors.rewriting import Change, Rewriting, make_injection

_FINDERS: tuple[Finder, ...] = (
    swapped_colours,
    swapped_words,
    swapped_things,
    swapped_counts,
    swapped_geometry,
    swapped_grid,
    swapped_letter_shape,
)


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
        joined = join(sample)
        shown = pointing_sentences(joined.text, sample.language)
        if not shown:
            return Rejection(RejectionReason.TEXT_DOES_NOT_NEED_PICTURE, "no sentence says what the picture shows")
        found = _restatements(sample, joined.text, shown, context)
        if not found:
            detail = "nothing that the text says of the picture can be turned round safely"
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, detail)
        chosen = context.stream.choice(found)
        changes = tuple(Change(*joined.part_of(place), after) for place, after in chosen.places)
        return make_injection(sample, self.subtype, self.version, Rewriting(changes, _explain(chosen)))


def _restatements(sample: Sample, text: str, shown: list[Span], context: InjectionContext) -> list[Restatement]:
    """What can be restated without a word of it standing in an option; colours only where there is nothing else."""
    found = [one for find in _FINDERS for one in find(text, shown, sample.language, context.stream)]
    found = [one for one in found if not any(_mentions(option, one) for option in sample.options)]
    return [one for one in found if one.attribute != "a colour"] or found


def _mentions(text: str, restatement: Restatement) -> bool:
    words = (restatement.before.lower(), restatement.after.lower())
    return any(re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text.lower()) for word in words)


def _explain(restatement: Restatement) -> str:
    return (
        f'"{restatement.before}" became "{restatement.after}" wherever the text says it. The text speaks of what the '
        f"picture shows, and "
        f"the picture shows {restatement.attribute} otherwise, so text and picture cannot both hold and the question "
        f"has no settled "
        "answer."
    )


CROSS_MODAL_CONTRADICTION = CrossModalContradiction()
