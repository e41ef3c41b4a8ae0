"""Directions, connections, forms, axes, animals and plants that a text says its picture shows, exchanged for others."""

import random
import re
from typing import Any

from core.records import Language
from injectors.articles import article_for, with_article
from injectors.depictions import Description, Restatement, in_case, is_long, mentions
from injectors.passages import Span, prose
from injectors.wordlists import word_list

# What is done to a thing is no statement on the picture.
_OPERATION = re.compile(
    r"\b(?:rotated|turned|reflected|folded|flipped|moved)\b[^.]{0,40}$"
    r"|(?:^|[.,]\s)(?:[Rr]otate|[Tt]urn|[Rr]eflect|[Ff]old|[Ff]lip)\b[^.]{0,40}$|(?:旋转|翻折|转动)[^。，]{0,12}$"
)


def swapped_words(description: Description, stream: random.Random) -> list[Restatement]:
    """A direction, a connection, a form becomes its opposite in all mentions, where the text says nothing else of it
    and the sentence is tied to the request."""
    found: list[Restatement] = []
    if is_long(description.text):
        return []
    lists = word_list("swaps")[description.language.value]
    for group in lists["groups"]:
        for old, new in group["pairs"]:
            places = _free_places(description, old, new, lists["tied"].get(old, r"(?!)"), group)
            if places:
                plain = prose(description.text)
                after = tuple((place, with_article(place.of(plain), new)) for place in places)
                found.append(Restatement(after, old, new, group["topic"]))
    return found


def _free_places(description: Description, old: str, new: str, tied: str, group: dict[str, Any]) -> list[Span]:
    """All mentions of `old`; none where a change would not be safe or the answer would not depend on it."""
    plain, is_english = prose(description.text), description.language is Language.ENGLISH
    places = mentions(plain, rf"\b(?:[Aa]n? )?{old}\b" if is_english else old)
    if not any(description.shows(place) for place in places) or re.search(tied, plain):
        return []
    if mentions(plain, rf"\b{new}\b" if is_english else new):
        return []
    for place in places:
        if _is_part_of_other(plain, place, description.language) or _OPERATION.search(plain[: place.start]):
            return []
    if not group["always"] and not any(description.is_asked_of(description.sentence_at(one.start)) for one in places):
        return []
    return places


def _is_part_of_other(plain: str, place: Span, language: Language) -> bool:
    """`clockwise` inside `counterclockwise`, `上方` beside `下方` are left to the longer or safer rule."""
    if language is Language.CHINESE:
        return bool(re.match(r"逆|非", plain[place.start - 1 : place.start])) or bool(
            re.search(r"[左右上下][侧方].*[左右上下][侧方]", plain)
        )
    return bool(
        re.search(
            r"(?:counter|anti|non-?|all |(?:picture|diagram|figure|graph|image|drawing|map|look(?:s|ing)?|see) )$",
            plain[: place.start],
        )
    )


def swapped_things(description: Description, stream: random.Random) -> list[Restatement]:
    """Every mention of an animal, a vehicle, a plant becomes another one, where the request asks how many, which or
    where they are."""
    text, plain, language = description.text, prose(description.text), description.language
    if is_long(text):
        return []
    found: list[Restatement] = []
    for old, new in word_list("swaps")[language.value]["creatures"]:
        places = mentions(plain, _thing_pattern(old, language))
        is_free = new not in plain.lower() and not _is_name_of_other(text, old)
        if is_free and _is_asked(description, old) and any(description.shows(place) for place in places):
            after = [new if language is Language.CHINESE else _like(place.of(plain), old, new) for place in places]
            words = [re.sub("^[Aa]n? ", "", one) for one in (places[0].of(plain), after[0])]
            changes = tuple(zip(places, after, strict=True))
            found.append(Restatement(changes, words[0], words[1], "which of the drawn things is meant"))
    return found


def _is_asked(description: Description, old: str) -> bool:
    if description.language is Language.CHINESE:
        return bool(re.search(rf"(?:多少|几|哪)[\u4e00-\u9fff]{{0,3}}{old}", description.request))
    asks = rf"\b(?:how many|which|number of|where)\s(?:[a-z]+\s){{0,2}}?{old}"
    return bool(re.search(asks, description.request, re.IGNORECASE))


def _is_name_of_other(text: str, old: str) -> bool:
    return bool(
        re.search(
            rf"\b{old}s?['’-]|\brace {old}|\b{old} (?:driver|stations?|shop|maker|company|race|industry|\$|[A-Z]\b)",
            text,
            re.IGNORECASE,
        )
    )


def _thing_pattern(old: str, language: Language) -> str:
    return old if language is Language.CHINESE else rf"\b(?:[Aa]n? )?(?:{old}|{old.capitalize()})(?:s|es)?\b"


def _like(written: str, old: str, new: str) -> str:
    """The new word with the article, number and capital letter of the old one."""
    article, noun = ("", written) if " " not in written else written.split(" ", 1)
    made = new if noun.lower() == old else new + ("es" if new.endswith("us") else "s")
    made = in_case(noun, made.replace("cactuses", "cacti").replace("fishs", "fish"))
    return f"{article_for(article, made)}{made}" if article else made
