"""Intra-textual contradiction by rule: a value that the question rests on is stated a second time, further down, with
another number. Both statements are plain and speak of the same thing, so they cannot both be true."""

import re

from core.image_tokens import TOKEN
from core.records import Language, Sample, TextPart
from core.taxonomy import Subtype
from injectors.base import Injection, InjectionContext, Rejection, RejectionReason
from injectors.goals import before_goal, goal_words, refuse_without_request
from injectors.passages import Passage, Span, goal_start, passages, worded_sentences
from injectors.premises import find_quantities, is_idle
from injectors.quantities import Quantity, other_number
from injectors.rewriting import Change, Rewriting, make_injection

_ENGLISH_OPENINGS = ("Note that {}.", "It is given that {}.", "It is known that {}.")
_CHINESE_OPENINGS = ("已知{}。", "注意，{}。", "另外，{}。")
_UNFINISHED = re.compile(r"(?:\b(?:is|are|was|were|to|at|that|by|of|in|has|have|equals?|idea)|:|：)$")


class IntraTextualContradiction:
    """See docs/rule-injectors.md for what is accepted."""

    subtype = Subtype.INTRA_TEXTUAL_CONTRADICTION
    version = 1

    def apply(self, sample: Sample, context: InjectionContext) -> Injection | Rejection:
        refusal = refuse_without_request(sample)
        if refusal:
            return refusal
        stated = _stated_values(sample)
        context.stream.shuffle(stated)
        for passage, quantity in stated:
            number = other_number(quantity.number, quantity.unit, context.stream)
            place = _place(sample, passage, quantity)
            if number is None or place is None:
                continue
            rewriting = _contradict(sample, passage, quantity, number, place, context)
            return make_injection(sample, self.subtype, self.version, rewriting)
        return Rejection(
            RejectionReason.NOTHING_TO_CHANGE,
            "no stated value that the request has a use for can be stated again word for word",
        )


def _stated_values(sample: Sample) -> list[tuple[Passage, Quantity]]:
    found: list[tuple[Passage, Quantity]] = []
    for passage in passages(sample):
        is_query = passage.part is TextPart.QUERY
        end = goal_start(passage.text, sample.language) if is_query else len(passage.text)
        found += [(passage, quantity) for quantity in find_quantities(passage.text, end, sample.language)]
    request, text = goal_words(sample), before_goal(sample)
    return [(passage, quantity) for passage, quantity in found if not is_idle(quantity, request, text)]


def _place(sample: Sample, passage: Passage, quantity: Quantity) -> int | None:
    """Where in the query the second statement goes: after the request, which then stands between the two; before it
    when it is an unfinished sentence and another sentence stands between."""
    query = sample.query or ""
    spans = worded_sentences(query)
    end = _end_of_words(query, spans[-1])
    if not _UNFINISHED.search(query[:end]):
        return end
    start = goal_start(query, sample.language)
    told = passage.text if passage.part is TextPart.CONTEXT else query[:start]
    between = [span for span in worded_sentences(told) if span.start >= quantity.place.end]
    if passage.part is TextPart.CONTEXT:
        between += worded_sentences(query[:start])
    return start if between and any(span.start == start for span in spans) else None


def _end_of_words(query: str, span: Span) -> int:
    """The end of a sentence without the picture tokens and the closing dollar sign behind it."""
    end = span.end
    while True:
        words = query[:end].rstrip()
        token = next((match for match in TOKEN.finditer(words) if match.end() == len(words)), None)
        if token is None:
            return len(words)
        end = token.start()


def _contradict(
    sample: Sample, passage: Passage, quantity: Quantity, number: str, place: int, context: InjectionContext
) -> Rewriting:
    english = sample.language is Language.ENGLISH
    statement = quantity.restated(number)
    opening = context.stream.choice(_ENGLISH_OPENINGS if english else _CHINESE_OPENINGS)
    query = sample.query or ""
    words = opening.format(statement)
    is_before_request = place == goal_start(query, sample.language)
    change = Change(
        TextPart.QUERY, place, place, f"{words} " if is_before_request else _gap(query, place, sample.language) + words
    )
    explanation = (
        f'The text first says "{" ".join(quantity.place.of(passage.text).split())}" and later "{statement}". Both '
        f"cannot be true, nothing says "
        "which one holds, and the value is one of the premises of the question, so the answer cannot be settled."
    )
    return Rewriting((change,), explanation)


def _gap(query: str, place: int, language: Language) -> str:
    """What separates the new sentence from the words before it."""
    before = query[:place]
    if language is Language.CHINESE:
        return "" if before.rstrip("$ \n").endswith(("。", "？", "；", ".", "?", ";")) else "。"
    return " " if before.endswith((".", "?", "!", ":", ")", "_")) or not before else ". "


INTRA_TEXTUAL_CONTRADICTION = IntraTextualContradiction()
