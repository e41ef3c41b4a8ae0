"""Colours that tell which of several drawn things is meant: what the request asks about by its colour, and legends. Any
other colour is decoration, and a question stays answerable when the text has it wrong."""

import random
import re
from typing import NamedTuple

from core.records import Language
from injectors.articles import with_article
from injectors.content_words import content_words
from injectors.depictions import Description, Restatement, is_long, mentions
from injectors.passages import Span, prose
from injectors.wordlists import word_list

_MEANS = {
    Language.ENGLISH: re.compile(
        r"\s(?:\w+\s)?(?P<noun>(?!in\b)[a-z]+)(?:\sin)?\s+(?:stands? for|shows?|marks?|represents?|means?|is the)\b"
    ),
    Language.CHINESE: re.compile(r"色的?(?P<noun>[\u4e00-\u9fff]{1,4}?)(?:表示|代表|是)"),
}
_NOUN = {
    Language.ENGLISH: re.compile(r"\s(?P<noun>[a-z]+)"),
    Language.CHINESE: re.compile(r"色的?(?P<noun>[\u4e00-\u9fff]{2})"),
}
# "How many red eggs can she take": things that are only thought of are not in the picture.
_SUPPOSES = re.compile(r"\b(?:can|could|may|might|must|should|would)\b|可以|能够|最多")
_LABEL = re.compile(r"(?<![A-Za-z])[A-Z](?![A-Za-z])")
_PLACED = re.compile(r"左|右|上面|下面|\b(?:left|right|upper|lower|top|bottom)\b")


class _Mention(NamedTuple):
    colour: str
    place: Span
    noun: str
    meaning: str


def swapped_colours(description: Description, stream: random.Random) -> list[Restatement]:
    """Every mention of a colour that matters becomes a colour that the text does not name."""
    words = word_list("swaps")[description.language.value]
    plain = prose(description.text)
    free = [one for one in words["new_colours"] if one not in plain.lower()]
    if not free or is_long(plain) or any(phrase in plain.lower() for phrase in words.get("not_colours", [])):
        return []
    all_mentions = [
        _read(plain, colour, place, description.language)
        for colour in words["colours"]
        for place in mentions(plain, _colour_pattern(colour, description.language))
    ]
    chosen = _asked(description, all_mentions) or _legend(description, all_mentions)
    return [_restate(plain, one, all_mentions, stream.choice(free), topic, description) for one, topic in chosen]


def _colour_pattern(colour: str, language: Language) -> str:
    if language is Language.CHINESE:
        return rf"{colour}(?=色)"
    return rf"(?:\b(?:[Aa]n? )?{colour}|(?:^|(?<=[.?!]\s)){colour.capitalize()})\b(?!\s*(?:and white|or white)|-)"


def _read(plain: str, colour: str, place: Span, language: Language) -> _Mention:
    """The colour with its noun, and what a legend says it means, up to the end of the clause."""
    means, noun = _MEANS[language].match(plain, place.end), _NOUN[language].match(plain, place.end)
    clause = re.split(r"[,;.，；。]|\band (?:the|a)\b", plain[means.end() :])[0] if means else ""
    return _Mention(colour, place, (means or noun or {"noun": ""})["noun"], clause)


def _asked(description: Description, found: list[_Mention]) -> list[tuple[_Mention, str]]:
    """Things that the request tells apart by their colour: the premises speak of one of another colour too."""
    chosen: list[tuple[_Mention, str]] = []
    if _SUPPOSES.search(description.request):
        return chosen
    for one in found:
        others = [other for other in found if other.colour != one.colour and _is_same(other.noun, one.noun)]
        in_request = one.place.start >= description.request_start
        if (
            in_request
            and one.noun
            and (others or _is_told(description, one, found))
            and not _is_labelled(description, one)
        ):
            chosen.append((one, _which(one.noun, description.language)))
    return chosen


def _which(noun: str, language: Language) -> str:
    if language is Language.CHINESE:
        return "which of the things is meant"
    return f"which {noun} {'are' if noun.endswith('s') else 'is'} meant"


def _is_told(description: Description, one: _Mention, found: list[_Mention]) -> bool:
    """The premises show a thing of this colour beside others."""
    told = [other for other in found if other.place.start < description.request_start]
    same = [other for other in told if other.colour == one.colour and _is_shown(description, other)]
    return bool(same) and len({other.colour for other in told}) > 1


def _legend(description: Description, found: list[_Mention]) -> list[tuple[_Mention, str]]:
    """`The red balls stand for oxygen`, beside balls of another colour; of several, what the request speaks of most."""
    asked = content_words(description.request, description.language)
    entries = [
        one
        for one in found
        if one.meaning and not _is_labelled(description, one) and not _PLACED.search(_clause_before(description, one))
    ]
    labels = set(_LABEL.findall(description.request))
    shared = {
        one: len(asked & content_words(one.meaning, description.language))
        + len(labels & set(_LABEL.findall(one.meaning)))
        for one in entries
    }
    nouns = {one: {other.colour for other in found if _is_same(other.noun, one.noun)} for one in entries}
    tied = [
        one for one in entries if len(nouns[one]) > 1 or (shared[one] and one.noun.endswith("s") and one.noun != "axis")
    ]
    most = max((shared[one] for one in tied), default=0)
    return [(one, "what each colour stands for") for one in tied if shared[one] == most and _is_shown(description, one)]


def _is_shown(description: Description, one: _Mention) -> bool:
    """In a sentence that speaks of the picture, or in the one behind it."""
    before = description.text[: one.place.start]
    return description.shows(one.place) or any(0 <= len(before) - span.end < 120 for span in description.shown)


def _is_same(first: str, second: str) -> bool:
    return bool(first) and first.removesuffix("s") == second.removesuffix("s")


def _clause_before(description: Description, one: _Mention) -> str:
    return re.split(r"[,;.，；。]", description.text[: one.place.start])[-1][-12:]


def _is_labelled(description: Description, one: _Mention) -> bool:
    """`the red arrow W`: the label still says which thing is meant."""
    behind = description.text[one.place.end :]
    return bool(re.match(r"(?:\s[a-z]+){1,2}\s[A-Z]\b|色?的?[\u4e00-\u9fff]{0,3}\s?[A-Z]", behind))


def _restate(
    plain: str, one: _Mention, found: list[_Mention], new: str, topic: str, description: Description
) -> Restatement:
    places = tuple(
        (other.place, with_article(other.place.of(plain), new)) for other in found if other.colour == one.colour
    )
    gap, end = (" ", "") if description.language is Language.ENGLISH else ("", "色")
    phrases = [f"{colour}{end}{gap}{one.noun}" for colour in (one.colour, new)]
    return Restatement(places, phrases[0], phrases[1], topic)
