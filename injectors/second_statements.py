"""Where a second, contradicting statement goes: where an author would have written it, with another sentence between
the two where the text has one, and never inside a sentence."""

import re
from typing import NamedTuple

from core.image_tokens import TOKEN
from core.records import Language, Sample, TextPart
from injectors.passages import Passage, Span, goal_start, has_words, worded_sentences
from injectors.quantities import Quantity

_FINISHED = re.compile(r"[.?!。？！][\"'’”)）]*\$?$")
_UNFINISHED = re.compile(r"(?:\b(?:is|are|was|were|to|at|that|by|of|in|has|have|equals?|idea)|:|：)$")
_POINTS_BACK = re.compile(r"(?:It|They|This|That|These|Those|He|She|Its|Their|His|Her|Then|Both|Each)\b|[它其该这那]")
_VERB = re.compile(r"\s(?:is|are|was|were|has|have|had|can|[a-z]+s)\s")


class Place(NamedTuple):
    """Before character `start` of a part. `is_first`: the new statement is read before the one that it contradicts."""

    part: TextPart
    start: int
    is_first: bool = False


def find_place(sample: Sample, passage: Passage, quantity: Quantity) -> Place | None:
    """The end of the context; when the first statement stands there, between two sentences before it; else before the
    request; else after it. None when the text leaves no room."""
    query, context = sample.query or "", sample.context or ""
    told = worded_sentences(context)
    is_whole = bool(told) and bool(_FINISHED.search(context[: _end_of_words(context, told[-1])]))
    if passage.part is TextPart.QUERY:
        if is_whole and _is_introduced(quantity, context, sample.language):
            at_end = Place(TextPart.CONTEXT, _end_of_words(context, told[-1]), is_first=True)
            return _within_query(query, quantity, sample.language) or at_end
        return _within_query(query, quantity, sample.language) or _after_request(query)
    if not is_whole:
        return _after_request(query)
    own = next(number for number, span in enumerate(told) if span.end >= quantity.place.end)
    if own < len(told) - 1:
        return Place(TextPart.CONTEXT, _end_of_words(context, told[-1]))
    earlier = context[: told[own - 2].end] if own >= 2 else ""
    follows = _POINTS_BACK.match(told[own - 1].of(context))
    if earlier and not follows and _is_introduced(quantity, earlier, sample.language):
        return Place(TextPart.CONTEXT, _end_of_words(context, told[own - 2]), is_first=True)
    return _before_request(query, sample.language)


def second_sentence(text: str, place: Place, sentence: str, language: Language) -> str:
    """The sentence with what separates it from the words on its two sides."""
    before, after = text[: place.start], text[place.start :]
    if language is Language.CHINESE:
        gap = "" if not before or before.rstrip("$ \n").endswith(("。", "？", "；", ".", "?", ";")) else "。"
        return gap + sentence
    if not before or before[-1].isspace() or before.endswith(">"):
        return f"{sentence} " if after and not after[0].isspace() else sentence
    return f" {sentence}" if before.rstrip("$").endswith((".", "?", "!", ":", ")", "_", "”", '"')) else f". {sentence}"


def _within_query(query: str, quantity: Quantity, language: Language) -> Place | None:
    """Before the sentence that asks, when another stands between it and the first statement."""
    goal = goal_start(query, language)
    spans = worded_sentences(query)
    asking = next((span for span in spans if span.start <= goal < span.end), None)
    if asking and any(quantity.place.end <= span.start and span.end <= asking.start for span in spans):
        return Place(TextPart.QUERY, asking.start)
    return None


def _before_request(query: str, language: Language) -> Place | None:
    goal = goal_start(query, language)
    asking = next((span for span in worded_sentences(query) if span.start <= goal < span.end), None)
    return Place(TextPart.QUERY, asking.start) if asking else None


def _after_request(query: str) -> Place | None:
    end = _end_of_words(query, worded_sentences(query)[-1])
    if _UNFINISHED.search(query[:end]) or has_words(query[end:]) or TOKEN.sub("", query[end:]).strip(" \n$"):
        return None
    return Place(TextPart.QUERY, end)


def _is_introduced(quantity: Quantity, before: str, language: Language) -> bool:
    """What the statement speaks of has been named by then."""
    if quantity.is_symbol:
        return quantity.name.strip(" $") in before
    if language is Language.CHINESE:
        subject = re.findall(r"[\u4e00-\u9fff]{2}", quantity.before)
        return bool(subject) and subject[0] in before
    things = re.findall(r"[a-z]{4,}", _VERB.split(quantity.before)[0])
    return bool(things) and all(thing in before.lower() for thing in things)


def _end_of_words(text: str, span: Span) -> int:
    """The end of a sentence without the picture tokens and the closing dollar sign behind it."""
    end = span.end
    while True:
        words = text[:end].rstrip()
        token = next((match for match in TOKEN.finditer(words) if match.end() == len(words)), None)
        if token is None:
            return len(words)
        end = token.start()
