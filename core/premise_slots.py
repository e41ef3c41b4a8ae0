"""Words put into the slot of a sentence, with what grammar then asks of the words round it: `a` or `an` before them,
and a capital letter where a sentence begins. Nothing else of the sentence may change, or it would tell a false
premise from a true one."""

import re
from typing import NamedTuple

_ARTICLE = re.compile(r"(?:^A|^An|(?<!\S)an?)(?= $)")
_LEADING_ARTICLE = re.compile(r"an? ")
_AN = re.compile(r"(?!uni|use|usu|eu|one\b|once)[aeiou]|hour|honest|heir|8|1[18]\b", re.IGNORECASE)
_AN_LETTER = re.compile(r"[AEFHILMNORSX](?![a-z])")


class Filled(NamedTuple):
    """`words` as they stand in `text`, from character `start`."""

    text: str
    words: str
    start: int


def fill_slot(before: str, words: str, after: str) -> Filled:
    if not before:
        words = words[0].upper() + words[1:]
    before = _ARTICLE.sub(lambda match: _in_case(match[0], _article(words)), before)
    return Filled(f"{before}{words}{after}", words, len(before))


def with_right_article(words: str) -> str:
    """`a` or `an` at the head of the words as what follows wants it."""
    match = _LEADING_ARTICLE.match(words)
    return f"{_in_case(match[0], _article(words[match.end() :]))} {words[match.end() :]}" if match else words


def _article(words: str) -> str:
    return "an" if _AN.match(words) or _AN_LETTER.match(words) else "a"


def _in_case(old: str, new: str) -> str:
    return new.capitalize() if old[0].isupper() else new
