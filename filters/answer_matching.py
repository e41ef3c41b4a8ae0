"""Whether a short answer is the right one: option letter or option text, numbers with units, LaTeX, English and
Chinese. It compares what two texts say, not how they say it, and never calls anything but the parent's answer right."""

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from core.records import Sample
from filters.units import parse_unit

TOLERANCE = 0.01
"""Relative difference up to which two numbers are the same, unless both are whole."""

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴-⁹⁻]+")
_REPLACEMENTS = (
    (re.compile(r"\\(?:boxed|text|mathrm|mathbf|mathit|textbf|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\[dt]frac"), r"\\frac"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"\\sqrt"), "√"),
    (re.compile(r"\\pi(?![A-Za-z])"), "π"),
    (re.compile(r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\1/\2"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree"), "°"),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])|×"), "*"),
    (re.compile(r"\\(?:left|right|displaystyle)(?![A-Za-z])|\\[()\[\]]|\$"), ""),
    (re.compile(r"\\[,;:! ]|~"), " "),
    (re.compile(r"\\(?=[%#&])"), ""),
    (re.compile(r"\(unit:\s*(.*?)\)", re.IGNORECASE), r" \1"),
    (re.compile(r"\*\*|[{}]"), ""),
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\((-?\d+(?:\.\d+)?)\)(?=/)"), r"\1"),
    (re.compile(r"/\((\d+(?:\.\d+)?)\)"), r"/\1"),
    (re.compile("[−–]"), "-"),
    (re.compile("⁄"), "/"),
)
_LEAD = re.compile(
    r"^\s*(?:the\s+)?(?:final\s+)?(?:(?:answer|answers)\s*(?:is|are|:)|答案\s*(?:是|为|:)|about\b|approximately\b|约为?|大约|≈)\s*",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"(?:(?:option|choice|answer|选项|答案)\s*)?(?:[(\[]([A-Z])[)\]]|([A-Z]))(?:\s*[.):、(].*)?",
    re.IGNORECASE | re.DOTALL,
)
_LETTERS = re.compile(r"[A-Z](?:\s*(?:,|;|、|&|and|和)\s*[A-Z])+")
_SEPARATOR = re.compile(r"\s*(?:[,;、]|\band\b|和)\s*")
_QUANTITY = re.compile(
    r"([€£¥]?)\s*([-+]?(?:\d+(?:\.\d+)?|\.\d+))(?:e([-+]?\d{1,4}))?(?:\s*/\s*(\d+(?:\.\d+)?))?(?:\s*\*\s*10\^\(?([-+]?\d{1,4})\)?)?"
    r"\s*(thousand|million|billion|百万|万|亿)?\s*((?:[^\d,;、=]|(?<=[A-Za-z^])[23])*)",
    re.IGNORECASE | re.DOTALL,
)
_MULTIPLES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "百万": 1e6, "万": 1e4, "亿": 1e8}


class _Quantity(NamedTuple):
    value: float
    unit: str


def matches(given: str, parent: Sample) -> bool | None:
    """None when the source withholds the answer. With options, the answer is right when it names right ones alone, by
    letter or by text; a text that fits a wrong option as well names no right one."""
    text = _normalise(given)
    if parent.options and parent.correct_options:
        return _names_right_options(text, parent)
    return None if parent.answer is None else _is_same(text, _normalise(parent.answer))


def _names_right_options(text: str, parent: Sample) -> bool:
    options = [_normalise(option) for option in parent.options]
    named = _by_letter(text, len(options)) or _by_text(text, options) or _by_letters(text, len(options))
    return bool(named) and set(named) <= set(parent.correct_options)


def _by_letter(text: str, count: int) -> list[int]:
    match = _LETTER.fullmatch(text)
    if match is None:
        return []
    index = ord((match[1] or match[2]).upper()) - ord("A")
    return [index] if index < count else []


def _by_text(text: str, options: Sequence[str]) -> list[int]:
    exact = [index for index, option in enumerate(options) if _squeeze(option) == _squeeze(text)]
    return exact or [index for index, option in enumerate(options) if _is_same(text, option)]


def _by_letters(text: str, count: int) -> list[int]:
    if not _LETTERS.fullmatch(text):
        return []
    indices = [ord(letter) - ord("A") for letter in re.findall(r"\b[A-Z]\b", text)]
    return indices if max(indices) < count else []


def _is_same(text: str, right: str) -> bool:
    """Equal but for spelling, or the same quantity, or a list of such in the same order."""
    if not text or not right:
        return False
    if _squeeze(text) == _squeeze(right) or _is_same_quantity(text, right):
        return True
    name, equals, value = text.partition("=")
    if equals and "=" not in value + right and not name.endswith(("<", ">")) and _is_same(value.strip(), right):
        return True
    ours, theirs = _SEPARATOR.split(text), _SEPARATOR.split(right)
    return len(ours) == len(theirs) > 1 and all(map(_is_same, ours, theirs))


def _is_same_quantity(text: str, right: str) -> bool:
    ours, theirs = _parse_quantity(text), _parse_quantity(right)
    if ours is None or theirs is None:
        return False
    unit, expected = parse_unit(ours.unit), parse_unit(theirs.unit)
    if unit is None or expected is None:
        return _is_near(ours.value, theirs.value)
    if unit.dimensions != expected.dimensions:
        return False
    return _is_near(ours.value * unit.factor / expected.factor, theirs.value)


def _is_near(value: float, right: float) -> bool:
    if value.is_integer() and right.is_integer():
        return value == right
    return math.isclose(value, right, rel_tol=TOLERANCE, abs_tol=1e-12)


def _parse_quantity(text: str) -> _Quantity | None:
    match = _QUANTITY.fullmatch(text.strip())
    if match is None:
        return None
    currency, number, e, denominator, exponent, multiple, unit = match.groups()
    divisor = float(denominator or 1)
    power = int(e or 0) + int(exponent or 0)
    if divisor == 0 or abs(power) > 200:
        return None
    value = float(number) / divisor * 10.0**power * _MULTIPLES.get((multiple or "").casefold(), 1.0)
    return _Quantity(value, unit.strip() or currency)


def _normalise(text: str) -> str:
    text = _SUPERSCRIPT.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return _LEAD.sub("", text.strip(" \t\r\n.。`'\"“”*_")).strip()


def _squeeze(text: str) -> str:
    return re.sub(r"[\s()]", "", text).casefold()
