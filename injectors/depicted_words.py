"""Colours, directions, kinds of charts, animals and vehicles that a text says its picture shows, exchanged for
others."""

import random
import re

from core.records import Language
from injectors.depictions import Restatement, in_case, inside, is_long, mentions
from injectors.passages import Span, goal_start, prose
from injectors.wordlists import word_list


def swapped_colours(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """Every mention of a colour becomes a colour that the text does not name."""
    words = word_list("swaps")[language.value]
    plain = prose(text)
    if is_long(text) or any(phrase in plain.lower() for phrase in words.get("not_colours", [])):
        return []
    free = [one for one in words["new_colours"] if one not in plain.lower()]
    found: list[Restatement] = []
    for colour in words["colours"]:
        places = mentions(plain, _colour_pattern(colour, language))
        if not free or _names_labelled_things(plain, places) or not any(inside(shown, place) for place in places):
            continue
        new = stream.choice(free)
        after = tuple((place, _with_article(place.of(text), new)) for place in places)
        found.append(Restatement(after, colour, new, "a colour"))
    return found


def _colour_pattern(colour: str, language: Language) -> str:
    if language is Language.CHINESE:
        return rf"{colour}(?=色|球|车|灯|花|圆|珠|旗)"
    return rf"(?:\b(?:[Aa]n? )?{colour}|(?:^|(?<=[.?!]\s)){colour.capitalize()})\b(?!\s*(?:and white|or white)|-)"


def _names_labelled_things(plain: str, places: list[Span]) -> bool:
    """`the red arrow W`: the label still says which thing is meant, so the colour would hardly matter."""
    return all(
        re.match(r"(?:\s[a-z]+){1,2}\s[A-Z]\b|色?的?[\u4e00-\u9fff]{0,3}\s?[A-Z]", plain[place.end :])
        for place in places
    )


def _with_article(written: str, word: str) -> str:
    article = re.match(r"[Aa]n? ", written)
    return f"{_article(article[0], word)}{word}" if article else in_case(written, word)


def swapped_words(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """A direction, a kind of chart, a shape becomes its opposite, where the text mentions it once."""
    plain = prose(text)
    found: list[Restatement] = []
    words = word_list("swaps")[language.value]
    if is_long(text):
        return []
    for old, new in words["pairs"]:
        places = mentions(plain, rf"\b(?:[Aa]n? )?{old}\b" if language is Language.ENGLISH else old)
        others = mentions(plain, rf"\b{new}\b" if language is Language.ENGLISH else new)
        is_tied = re.search(words["tied"].get(old, r"(?!)"), plain)
        if (
            len(places) == 1
            and not others
            and not is_tied
            and inside(shown, places[0])
            and not _is_part_of_other(plain, places[0], language)
        ):
            written = _with_article(places[0].of(plain), new)
            found.append(Restatement(((places[0], written),), old, new, "what is drawn and where"))
    return found


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


def swapped_things(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """Every mention of an animal, a vehicle, a fruit becomes another one. Where there are several, it must be one that
    the end of the text, the request, speaks of."""
    plain = prose(text)
    if is_long(text):
        return []
    found: list[Restatement] = []
    pairs = word_list("swaps")[language.value]["creatures"]
    places_of = {old: mentions(plain, _thing_pattern(old, language)) for old, _ in pairs}
    present = [old for old, places in places_of.items() if places]
    request = goal_start(text, language)
    for old, new in pairs:
        places = places_of[old]
        is_central = len(present) == 1 or any(place.start >= request for place in places)
        if not is_central or new in plain.lower() or not any(inside(shown, place) for place in places):
            continue
        after = [new if language is Language.CHINESE else _like(place.of(plain), old, new) for place in places]
        if not re.search(
            rf"\b{old}s?['’-]|\brace {old}|\b{old} (?:driver|stations?|shop|maker|company|race|industry|\$|[A-Z]\b)",
            text,
            re.IGNORECASE,
        ):
            found.append(Restatement(tuple(zip(places, after, strict=True)), old, new, "what is drawn"))
    return found


def _thing_pattern(old: str, language: Language) -> str:
    return old if language is Language.CHINESE else rf"\b(?:[Aa]n? )?(?:{old}|{old.capitalize()})(?:s|es)?\b"


def _like(written: str, old: str, new: str) -> str:
    """The new word with the article, number and capital letter of the old one."""
    article, noun = ("", written) if " " not in written else written.split(" ", 1)
    made = new if noun.lower() == old else new + ("es" if new.endswith("us") else "s")
    made = in_case(noun, made.replace("cactuses", "cacti").replace("fishs", "fish"))
    return f"{_article(article, made)}{made}" if article else made


def _article(old: str, word: str) -> str:
    right = "an " if word[0].lower() in "aeiou" else "a "
    return right.capitalize() if old[0].isupper() else right
