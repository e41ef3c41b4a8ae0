"""How a question's text is put together: formulas and picture tokens that no edit may cut, sentences, and the clause
that says what is to be found. Every text injector reads texts through here, so that all of them keep the same things
whole."""

import re
from functools import lru_cache
from typing import NamedTuple

from core.image_tokens import TOKEN
from core.records import Language, Sample, TextPart

_FORMULA = re.compile(r"\$\$.+?\$\$|(?<!\\)\$[^$]+?(?<!\\)\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_TEX_TEXT = re.compile(r"\\(?:text|mathrm|mbox)\s*\{[^{}]*\}")
_SENTENCE_END = re.compile(
    r"[.?!][\"'’”)]*(?=\s*(?:[A-Z<$\\(“\"]|\n|$)|\s+\d+\s[a-z]{3})|[。？！；](?:[”）]|\$(?=\s|$))?"
    r"|(?<=[\u4e00-\u9fff）)$])\.(?!\d)(?:\$(?=\s|$))?|\n\s*\n|\n(?=[A-Z<(])"
    r"|\\n(?=[A-Z<])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:Figs?|Mr|Mrs|Ms|Dr|Prof|St|Eqs?|No|vs|cf|approx|e\.g|i\.e|U\.S|U\.K))\.$")
_ASKING_VERBS = (
    "find|determine|compute|calculate|evaluate|estimate|identify|describe|name|rank|choose|select|prove|show that"
    "|express"
    "|state|list|draw|sketch|explain|write|solve|represent|convert|derive|complete|decide|compare|give"
)
_ASKING_WORDS = "what(?:'s)?|which|how|who|whom|whose"
_CLAUSE_START = r"(?:^|(?<=[,;:]\s)|(?<=[,.?]\$\s)|(?<=>)|(?<=>\s)|(?<=\n))[(\s]*(?:then\s+|and\s+)?"
_PREPOSITION = r"(?:by|at|in|to|for|on|into|from|about|after\s+making|between|of)\s+"
_ENGLISH_ORDER = re.compile(rf"{_CLAUSE_START}(?P<goal>(?:{_ASKING_VERBS})\b)(?!\s*=)", re.IGNORECASE)
_ENGLISH_QUESTION = re.compile(rf"{_CLAUSE_START}(?P<goal>(?:{_PREPOSITION})?(?:{_ASKING_WORDS})\b)", re.IGNORECASE)
_OPENS_WITH_QUESTION = re.compile(r"(?:What (?:is|are)|How (?:many|much|far|long))\b")  # some end with a full stop
_BLANK = re.compile(r"_{2,}|\(\s*_*\s*\)|（[\s　]*）")
_CHINESE_CLAUSE = r"(?:(?<=[，。；：,;.:\n$）)])|^)\s*"
_CHINESE_ORDER = re.compile(
    rf"{_CHINESE_CLAUSE}(?P<goal>试?求|试(?:在|估计|问|写|确定|判断|比较|证明)|写出|计算|判断|证明|确定|估计|请|指出|比较|说明)"
)
_CHINESE_QUESTION = re.compile(rf"{_CHINESE_CLAUSE}(?P<goal>则|那么|问|应|下列|以下|哪|如何|能否|是否)")
# The rules ask for the formulas and sentences of one text again for each of its values: without this, a text of a
# thousand values takes a minute.
_TEXTS_KEPT = 64
_CHINESE_ASKS = re.compile(r"[？?]|多少|哪|什么|几[个种次条只]|多大|如何|是否")


class Span(NamedTuple):
    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def covers(self, position: int) -> bool:
        return self.start <= position < self.end


class Passage(NamedTuple):
    part: TextPart
    text: str


class Joined(NamedTuple):
    """Context and query as one text, so that a word can be looked for in both; `query_start` is where the query
    begins."""

    text: str
    query_start: int

    def part_of(self, span: Span) -> tuple[TextPart, int, int]:
        """The part that a span lies in, with its offsets there."""
        if span.start < self.query_start:
            return TextPart.CONTEXT, span.start, span.end
        return TextPart.QUERY, span.start - self.query_start, span.end - self.query_start


def join(sample: Sample) -> Joined:
    before = f"{sample.context}\n\n" if sample.context else ""
    return Joined(before + (sample.query or ""), len(before))


def passages(sample: Sample) -> tuple[Passage, ...]:
    """The context and the query, in the order they are read; parts that are absent or blank are left out."""
    parts = ((TextPart.CONTEXT, sample.context), (TextPart.QUERY, sample.query))
    return tuple(Passage(part, text) for part, text in parts if text and text.strip())


def formulas(text: str) -> list[Span]:
    """Formulas with their delimiters. Dollar signs round Chinese prose are no formula: some sources set whole
    questions so."""
    return list(_find_formulas(text))


@lru_cache(maxsize=_TEXTS_KEPT)
def _find_formulas(text: str) -> tuple[Span, ...]:
    spans = (Span(*match.span()) for match in _FORMULA.finditer(text))
    return tuple(span for span in spans if not _CHINESE.search(_TEX_TEXT.sub("", span.of(text))))


def untouchable(text: str) -> list[Span]:
    """Formulas and picture tokens."""
    return formulas(text) + [Span(*match.span()) for match in TOKEN.finditer(text)]


def is_inside(position: int, spans: list[Span]) -> bool:
    return any(span.covers(position) for span in spans)


def prose(text: str) -> str:
    """The text with every untouchable character blanked out: offsets stay what they are."""
    characters = list(text)
    for span in untouchable(text):
        characters[span.start : span.end] = " " * (span.end - span.start)
    return "".join(characters)


def sentences(text: str) -> list[Span]:
    """Sentences without the blanks round them. None ends inside a formula, after an abbreviation or in a number."""
    return list(_cut_sentences(text))


@lru_cache(maxsize=_TEXTS_KEPT)
def _cut_sentences(text: str) -> tuple[Span, ...]:
    whole = untouchable(text)
    spans: list[Span] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if is_inside(match.start(), whole) or _ABBREVIATION.search(text[start : match.end()]):
            continue
        spans.append(_trimmed(text, start, match.end()))
        start = match.end()
    spans.append(_trimmed(text, start, len(text)))
    return tuple(span for span in spans if span.end > span.start)


def has_words(text: str) -> bool:
    """Whether anything is left to read without the picture tokens."""
    return bool(re.search(r"\w", TOKEN.sub("", text)))


def worded_sentences(text: str) -> list[Span]:
    return [span for span in sentences(text) if has_words(span.of(text))]


def goal_start(text: str, language: Language) -> int:
    """Where the part of a query begins that says what is to be found: the first asking clause, or else the last
    sentence."""
    spans = worded_sentences(text)
    finders = (_chinese_order, _chinese_question) if language is Language.CHINESE else (_english_goal,)
    for find in finders:
        for span in spans:
            found = find(span.of(text))
            if found is not None:
                return span.start + found
    return spans[-1].start if spans else 0


def _english_goal(sentence: str) -> int | None:
    blanked = _blank_formulas(sentence)
    order = _ENGLISH_ORDER.search(blanked)
    if order:
        return order.start("goal")
    gap = _BLANK.search(blanked)
    if not (gap or _OPENS_WITH_QUESTION.match(blanked) or sentence.rstrip("$ \n)\"'”").endswith("?")):
        return None
    question = _ENGLISH_QUESTION.search(blanked)
    if question:
        return question.start("goal")
    comma = blanked.rfind(", ", 0, gap.start()) if gap else -1
    return comma + 2 if comma >= 0 else 0


def _chinese_order(sentence: str) -> int | None:
    match = _CHINESE_ORDER.search(sentence)
    return match.start("goal") if match else None


def _chinese_question(sentence: str) -> int | None:
    match = _CHINESE_QUESTION.search(sentence)
    asks = _CHINESE_ASKS.search(sentence) or _BLANK.search(sentence) or sentence.startswith("则")
    if not asks:
        return None
    return match.start("goal") if match else 0


def _blank_formulas(text: str) -> str:
    characters = list(text)
    for span in formulas(text):
        inside = slice(span.start + 1, span.end - 1)
        characters[inside] = [mark if mark in ",." else "#" for mark in characters[inside]]
    return "".join(characters)


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()))
