"""English, Chinese or neither (M-6): by the source's own word for it, else by the script of the letters. A language
that shares the Latin script with English cannot be told apart this way: name it in the data set or leave that set
out."""

import re
import unicodedata
from collections import Counter

from core.records import Language
from sources.base import QuarantineReason
from sources.rows import UnusableRowError

_NAMES = {
    "en": Language.ENGLISH,
    "eng": Language.ENGLISH,
    "english": Language.ENGLISH,
    "zh": Language.CHINESE,
    "zh-cn": Language.CHINESE,
    "cn": Language.CHINESE,
    "chinese": Language.CHINESE,
}
_NOT_PROSE = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\[A-Za-z]+|<image \d+>|\[image\d+\]", re.DOTALL)
_MIN_HAN_SHARE = 0.15  # a Chinese question with many formulas and units still has this many of its letters in Han
_MAX_FOREIGN_SHARE = 0.2  # Greek letters in formulas do not count at all


def language_named(name: str) -> Language:
    """Raises LANGUAGE_NOT_SUPPORTED."""
    language = _NAMES.get(name.strip().lower())
    if language is None:
        raise UnusableRowError(QuarantineReason.LANGUAGE_NOT_SUPPORTED, f"the row is in {name!r}")
    return language


def language_of(*texts: str | None) -> Language:
    """English where there are no letters at all. Raises LANGUAGE_NOT_SUPPORTED for another script."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_script(character) for character in _NOT_PROSE.sub(" ", text or "") if character.isalpha())
    total = counts["latin"] + counts["han"] + counts["foreign"]
    if total and counts["foreign"] / total > _MAX_FOREIGN_SHARE:
        raise UnusableRowError(
            QuarantineReason.LANGUAGE_NOT_SUPPORTED, f"{counts['foreign']} of {total} letters are of another script"
        )
    return Language.CHINESE if total and counts["han"] / total >= _MIN_HAN_SHARE else Language.ENGLISH


def _script(character: str) -> str:
    if character.isascii() or "\u00c0" <= character <= "\u024f":
        return "latin"
    name = unicodedata.name(character, "")
    if name.startswith("CJK"):
        return "han"
    return (
        "formula" if name.startswith(("GREEK", "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "FULLWIDTH")) else "foreign"
    )
