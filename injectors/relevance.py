"""Whether the answer needs a stated value. A contradiction about a value that nothing follows from leaves the question
answerable, so a value counts only when the request asks for a quantity, the value is of a kind that such a quantity is
computed from, and the sentence that states it is tied to the request by its words."""

import re
from typing import Any, NamedTuple

from core.records import Language, Sample
from injectors.content_words import content_words
from injectors.depictions import pointing_sentences
from injectors.goals import before_goal, goal_words
from injectors.passages import Span, has_words, sentences
from injectors.quantities import POWER, Quantity
from injectors.wordlists import word_list

_ASKS = {
    Language.ENGLISH: re.compile(
        r"\bhow (?:many|much|long|far|fast|high|large|big|old|wide|deep|tall|often|heavy|thick|strong)\b"
        r"|\bwhat\b.{0,30}\b(?:is|are|was|were|will be|must be) (?:the|its|their|this|that|[xyz]\b|\$)"
        r"|\b(?:what|which) (?:percentage|fraction|distance|number|value|time|length|area|speed|mass|force|height|week"
        r"|year)\b"
        r"|\b(?:find|determine|compute|calculate|evaluate|estimate)\b"
        r"|\b(?:is|are|equals?)(?: (?:closest|equal|nearest) to)?\s*:?\s*(?:_+|\$?\s*(?:<image|$))",
        re.IGNORECASE,
    ),
    Language.CHINESE: re.compile(r"多[少大高长远久快重]|几[个次条只名种]|求(?!证)|计算|[（(]\s*[)）]|[为是]\s*_"),
}
_ASKS_FOR_A_THING = {
    Language.ENGLISH: re.compile(
        r"\bwhat (?:is|are|was) the (?:\w+ )?(?:image|order|name|colou?r|picture|shape|one|relationship|reason|type"
        r"|kind)\b"
        r"|\bin (?:which|what) order\b|\b(?:which|what) (?:letter|person|picture|pattern)\b",
        re.IGNORECASE,
    ),
    Language.CHINESE: re.compile(r"哪|什么|是否|判断"),
}
_ASKS_FOR_A_SYMBOL = re.compile(
    r"(?:find|determine|compute|calculate|value of|what is|求|则)\s*(?:the value of )?(?:\$|∠|[A-Za-z]\b)",
    re.IGNORECASE,
)
_DRAWN = re.compile(r"\b(?:chart|diagram|graph|picture|figure|table|map|plan|drawing)\b|[图表]中", re.IGNORECASE)
_SCALE = re.compile(r"\bsquares? of (?:the|each) grid\b|\bscale\b|方格")
_TEX = re.compile(r"\\(?:mathrm|text|mathbf|rm|operatorname)\b|[{}~$]|\\[,; ]")


class Question(NamedTuple):
    """What a value is held against: the request, all that stands before it, the options."""

    request: str
    premises: str
    options: str
    language: Language


def read_question(sample: Sample) -> Question:
    return Question(goal_words(sample), before_goal(sample), " | ".join(sample.options), sample.language)


def is_needed(quantity: Quantity, text: str, question: Question) -> bool:
    """Whether an answer to the request rests on a value that `text`, a part of the question, states."""
    unit = _plain_unit(quantity.unit)
    if len(unit) > 5 and unit.lower() in question.options.lower():
        return True
    if not _ASKS[question.language].search(question.request):
        return False
    if _ASKS_FOR_A_THING[question.language].search(question.request):
        return False
    sentence = next((span for span in sentences(text) if span.covers(quantity.place.start)), quantity.place)
    kinds = _kinds_of(quantity, unit)
    if quantity.is_symbol and (not kinds or _ASKS_FOR_A_SYMBOL.search(question.request)):
        return True
    if kinds:
        return any(_serves(kind, sentence.of(text), quantity, question) for kind in kinds)
    return _counts(quantity, unit, sentence, text, question)


def _serves(kind: dict[str, Any], sentence: str, quantity: Quantity, question: Question) -> bool:
    if re.search(kind["names"], question.request, re.IGNORECASE):
        return quantity.is_symbol or _is_linked(sentence, question) or bool(_SCALE.search(sentence))
    if not re.search(kind["serves"], question.request, re.IGNORECASE):
        return False
    told = f"{question.premises}\n{question.request}"
    if "helped_by" in kind and not re.search(kind["helped_by"], told, re.IGNORECASE):
        return False
    return quantity.is_symbol or _is_linked(sentence, question) or bool(_SCALE.search(sentence))


def _counts(quantity: Quantity, unit: str, sentence: Span, text: str, question: Question) -> bool:
    """A number of things: what is counted must be spoken of in the request or in a premise that leads to it, and the
    picture must not show how many there are."""
    if any(span.start <= quantity.place.start < span.end for span in pointing_sentences(text, question.language)):
        return False
    own = sentence.of(text)
    if _DRAWN.search(own):
        return False
    counted = content_words(
        f"{unit} {quantity.name if quantity.name.startswith('the number of') else ''}", question.language
    )
    others = [one.of(question.premises) for one in sentences(question.premises)]
    asked = content_words(question.request, question.language)
    ways = [
        asked,
        *(words for one in others if one != own and asked & (words := content_words(one, question.language))),
    ]
    if any(counted & words for words in ways):
        return True
    return len(asked & content_words(own, question.language)) > 1


def _is_linked(sentence: str, question: Question) -> bool:
    """The sentence shares a word with the request, or with a premise that does."""
    own, asked = content_words(sentence, question.language), content_words(question.request, question.language)
    if own & asked:
        return True
    premises = [content_words(one.of(question.premises), question.language) for one in sentences(question.premises)]
    return any(own & words and asked & words for words in premises)


def _kinds_of(quantity: Quantity, unit: str) -> list[dict[str, Any]]:
    """The kinds of a value by its unit, or by its name where it has none."""
    kinds: list[dict[str, Any]] = word_list("value_uses")["kinds"]
    if not has_words(unit) and unit not in ("°", "%"):
        named = re.fullmatch(r"the (?!number|value)(.+)|.*的(.+)", quantity.name)
        return [kind for kind in kinds if named and re.search(kind["names"], named[1] or named[2])][:1]
    words = unit.split()
    for written in (unit, " ".join(words[:2]), words[0] if words else ""):
        found = [kind for kind in kinds if re.fullmatch(kind["unit"], written)]
        if found:
            return found
    return []


def _plain_unit(unit: str) -> str:
    plain = _TEX.sub(" ", re.sub(f"^{POWER}", "", unit)).replace("\\Omega", "Ω").replace("\\mu", "μ")
    plain = re.sub(r"\^\s*\\circ", "°", plain).replace("\\circ", "°").replace("\\%", "%")
    return " ".join(re.sub(r"\s*([/^])\s*", r"\1", plain).split()).strip(" .,;")
