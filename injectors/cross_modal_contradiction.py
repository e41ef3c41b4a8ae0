"""Cross-modal contradiction by rule: a statement of the text about what its picture shows is turned into another one.
The text must itself say that the picture shows it, and the answer must depend on it; all mentions change, so that only
a look at the picture reveals the conflict."""

import re

from core.records import Sample
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.depicted_colours import swapped_colours
from injectors.depicted_counts import swapped_counts, swapped_grid, swapped_letter_shape
from injectors.depicted_geometry import swapped_geometry
from injectors.depicted_words import swapped_things, swapped_words
from injectors.depictions import Description, Finder, Restatement, pointing_sentences
from injectors.goals import refuse_without_request
from injectors.passages import Joined, goal_start, join
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
    version = 3

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
        description = Description(joined.text, shown, _request_start(sample, joined), sample.language)
        found = [one for find in _FINDERS for one in find(description, context.stream)]
        found = [one for one in found if not any(_mentions(option, one) for option in sample.options)]
        if not found:
            detail = "nothing that the text says of the picture and the answer depends on can be turned round safely"
            return Rejection(RejectionReason.NOTHING_TO_CHANGE, detail)
        chosen = context.stream.choice(found)
        changes = tuple(Change(*joined.part_of(place), after) for place, after in chosen.places)
        return make_injection(sample, self.subtype, self.version, Rewriting(changes, _explain(chosen)))


def _request_start(sample: Sample, joined: Joined) -> int:
    return joined.query_start + goal_start(sample.query or "", sample.language)


def _mentions(text: str, restatement: Restatement) -> bool:
    """An option that names what changes, or what it changes to, would tell which of the two holds."""
    before, after = restatement.before.lower(), restatement.after.lower()
    words = {before, after} | {word for word in set(before.split()) ^ set(after.split()) if len(word) > 1}
    words |= {before[:2], after[:2]} if before[1:2] == "色" else set()
    return any(re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text.lower()) for word in words)


def _explain(restatement: Restatement) -> str:
    return (
        f'The text now says "{restatement.after}". The source text, which agrees with the picture, said '
        f'"{restatement.before}". The answer depends on {restatement.topic}, and text and picture cannot both be right '
        "about it, so it cannot be settled."
    )


CROSS_MODAL_CONTRADICTION = CrossModalContradiction()
