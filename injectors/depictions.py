"""What a text says of its picture: statements in a sentence with words such as "as shown", and what it takes to turn
one round so that the text still agrees with itself."""

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from core.records import Language
from injectors.content_words import content_words
from injectors.passages import Span, sentences, untouchable

_POINTER = {
    Language.ENGLISH: re.compile(
        r"\b(?:as|is|are) (?:shown|pictured|depicted|drawn|seen|illustrated|indicated)\b|\b(?:shown|pictured|drawn"
        r"|depicted) (?:below|above|here|in|at|on)\b"
        r"|\b(?:in|on|see|from) (?:the|this|that) (?:\w+ )?(?:figure|diagram|picture|image|graph|chart|plot|map"
        r"|drawing|photo|sketch|table|radiograph)\b|<image \d+>"
        r"|\b(?:the|this|a) (?:\w+ )?(?:figure|diagram|picture|image|graph|chart|plot|map"
        r"|drawing)(?: \w+){0,3} (?:shows|depicts|displays|below|above)\b|\bsee (?:figure|diagram)\b"
        r"|\bFig(?:ure)?\.? ?\w|\bthe figure\b|\bin this (?:diagram|picture)|\byou (?:can )?see\b|\bshown\b",
        re.IGNORECASE,
    ),
    Language.CHINESE: re.compile(
        r"如图|图中|下图|上图|右图|左图|图所示|示意图|由图|见图|此图|如下|<image \d+>|图[甲乙丙丁\d]"
    ),
}

_LONGEST_SENTENCE = 50

_LONGEST_TEXT = 140


class Description(NamedTuple):
    """Context and query as one text, the sentences of it that speak of the picture, and where the request begins."""

    text: str
    shown: list[Span]
    request_start: int
    language: Language

    @property
    def request(self) -> str:
        return self.text[self.request_start :]

    def shows(self, place: Span) -> bool:
        return inside(self.shown, place)

    def is_asked_of(self, text: str) -> bool:
        """The request shares a word with this text."""
        return bool(content_words(self.request, self.language) & content_words(text, self.language))

    def sentence_at(self, position: int) -> str:
        return next((span.of(self.text) for span in sentences(self.text) if span.covers(position)), "")


class Restatement(NamedTuple):
    """One statement and its opposite: the places to change with what stands there then, the words before and after, and
    what the answer takes from the picture there ("The answer depends on ...")."""

    places: tuple[tuple[Span, str], ...]
    before: str
    after: str
    topic: str


Finder = Callable[[Description, random.Random], list[Restatement]]


def pointing_sentences(text: str, language: Language) -> list[Span]:
    """Sentences that speak of what the picture shows."""
    found = [span for span in sentences(text) if _POINTER[language].search(span.of(text))]
    found = [span for span in found if len(span.of(text).split()) <= _LONGEST_SENTENCE]
    whole = untouchable(text)
    return [span for span in found if not any(span.start > one.start and span.end < one.end for one in whole)]


def mentions(text: str, pattern: str) -> list[Span]:
    return [Span(*match.span()) for match in re.finditer(pattern, text)]


def inside(spans: list[Span], place: Span) -> bool:
    return any(span.covers(place.start) for span in spans)


def is_long(text: str) -> bool:
    """In a long text a word has other duties than to describe the picture."""
    return len(text.split()) > _LONGEST_TEXT or len(text) > 1200


def in_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
