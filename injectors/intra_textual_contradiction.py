"""Intra-textual contradiction by rule: a value that the answer needs is stated a second time, in another place, with
another number. Both statements are plain and speak of the same thing, so they cannot both be true."""

import re

from core.records import Language, Sample, TextPart
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.goals import refuse_without_request
from injectors.passages import Passage, goal_start, passages
from injectors.premises import find_quantities
from injectors.quantities import Quantity, other_number
from injectors.relevance import is_needed, read_question
from injectors.rewriting import Change, Rewriting, make_injection
from injectors.second_statements import Place, find_place, second_sentence

_ENGLISH_OPENINGS = ("Note that {}.", "It is given that {}.", "It is known that {}.")
_CHINESE_OPENINGS = ("已知{}。", "注意，{}。", "另外，{}。")
_BEGINS_WITH_NAME = re.compile(r"[A-Z][a-z]")


class IntraTextualContradiction:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.INTRA_TEXTUAL_CONTRADICTION
    version = 2

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        stated = _stated_values(sample)
        context.stream.shuffle(stated)
        for passage, quantity in stated:
            number = other_number(quantity.number, quantity.unit, context.stream)
            place = find_place(sample, passage, quantity)
            if number is None or place is None:
                continue
            rewriting = _contradict(sample, passage, quantity, number, place, context)
            return make_injection(sample, self.subtype, self.version, rewriting)
        return Rejection(
            RejectionReason.NOTHING_TO_CHANGE,
            "no value that the answer needs can be stated again word for word",
        )


def _stated_values(sample: Sample) -> list[tuple[Passage, Quantity]]:
    found: list[tuple[Passage, Quantity]] = []
    question = read_question(sample)
    for passage in passages(sample):
        is_query = passage.part is TextPart.QUERY
        end = goal_start(passage.text, sample.language) if is_query else len(passage.text)
        found += [
            (passage, quantity)
            for quantity in find_quantities(passage.text, end, sample.language)
            if is_needed(quantity, passage.text, question)
        ]
    return found


def _contradict(
    sample: Sample, passage: Passage, quantity: Quantity, number: str, place: Place, context: InjectionContext
) -> Rewriting:
    statement = quantity.restated(number)
    text = (sample.context if place.part is TextPart.CONTEXT else sample.query) or ""
    sentence = second_sentence(text, place, _as_sentence(statement, sample, context), sample.language)
    written = " ".join(quantity.place.of(passage.text).split())
    first, later = (statement, written) if place.is_first else (written, statement)
    explanation = (
        f'The text first says "{first}" and later "{later}". Both cannot be true, nothing says which one holds, and '
        "the answer needs this value, so it cannot be settled."
    )
    return Rewriting((Change(place.part, place.start, place.start, sentence),), explanation)


def _as_sentence(statement: str, sample: Sample, context: InjectionContext) -> str:
    """With an opening; a statement that begins with a name needs none."""
    openings = _ENGLISH_OPENINGS if sample.language is Language.ENGLISH else _CHINESE_OPENINGS
    opening = context.stream.choice(openings)
    return f"{statement}." if _BEGINS_WITH_NAME.match(statement) else opening.format(statement)


INTRA_TEXTUAL_CONTRADICTION = IntraTextualContradiction()
