"""Phrases as they are compared: without case, articles, punctuation and the way in which numbers are written, in
English word by word and in Chinese character by character."""

import re
import unicodedata
from functools import cache
from pathlib import Path

from core.records import Language
from core.yaml_files import read_yaml_mapping

_SYNONYMS = Path(__file__).resolve().parent / "synonyms.yaml"
_NUMERALS = "零〇一二三四五六七八九十两"
_WORD = re.compile(
    rf"(?:(?<![\w-])-(?=\d))?[a-z0-9]+(?:[.'-][a-z0-9]+)*|[{_NUMERALS}]+|[\u3400-\u9fff]"
)  # a minus is part of a number, a hyphen is not
_ARTICLE = re.compile(
    r"\b(?:an?|An|[tT]he)\s+(?=\S)"
    r"|(?:^|(?<=[.!?]\s))A\s+(?=[a-z])(?!(?:is|are|was|has|and|or|than|to|in|on|at|of|from|lies|runs|stands)\b)"
)
_ENGLISH: dict[str, str] = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50",
}  # fmt: skip
_CHINESE_DIGITS = {sign: str(number) for number, sign in enumerate("零一二三四五六七八九")} | {"两": "2", "〇": "0"}


def normalise(text: str, language: Language) -> str:
    """Words with one blank between them; equal for phrases that say the same in other spelling."""
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    if language is Language.CHINESE:
        return " ".join(_in_digits(word) for word in _words(plain))
    words = [_ENGLISH.get(word, word) for word in _words(_ARTICLE.sub("", plain))]
    return " ".join(_singular(word) for word in words)


def leading_article(words: str) -> str | None:
    """`a` or `the`; the letter A that names something is none."""
    match = _ARTICLE.match(words.strip())
    return None if match is None else match[0].strip().lower().replace("an", "a")


def holds(text: str, phrase: str, language: Language) -> bool:
    """The words of the phrase stand in the text, in this order and with nothing between them."""
    wanted = normalise(phrase, language)
    return bool(wanted) and f" {wanted} " in f" {normalise(text, language)} "


def count_words(text: str, language: Language) -> int:
    return len(normalise(text, language).split())


def is_synonym(first: str, second: str, language: Language) -> bool:
    """Equal once every word of a group of the list stands for the whole group."""
    return _canonical(first, language) == _canonical(second, language)


def _canonical(text: str, language: Language) -> str:
    plain = f" {normalise(text, language)} "
    for words, head in _synonyms(language):
        plain = plain.replace(f" {words} ", f" {head} ")
    return plain


@cache
def _synonyms(language: Language) -> tuple[tuple[str, str], ...]:
    """Each word and the first of its group, the longest first, all normalised."""
    groups = read_yaml_mapping(_SYNONYMS)[language.value]
    assert isinstance(groups, list)
    pairs = [(normalise(word, language), normalise(group[0], language)) for group in groups for word in group[1:]]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _words(plain: str) -> list[str]:
    return [match[0] for match in _WORD.finditer(plain.casefold())]


def _in_digits(word: str) -> str:
    """`十二` is 12 and `二零二三` is 2023; what is no number stays."""
    if not set(word) <= set(_NUMERALS):
        return word
    tens, ten, ones = word.partition("十")
    if not ten:
        return "".join(_CHINESE_DIGITS[sign] for sign in word)
    return str(int(_CHINESE_DIGITS.get(tens, "1")) * 10 + int(_CHINESE_DIGITS.get(ones, "0")))
