"""Values stated by an equation such as `m = 2 kg`, inside formulas and outside."""

import re

from core.records import Language
from injectors.passages import Span, formulas, sentences
from injectors.quantities import POWER, UNIT_LETTERS, UNIT_WORD, Quantity

_SYMBOL = (
    r"(?:\\angle\s*|∠)?(?:\\(?:mathrm|text|mathbf)\s*\{[A-Za-z ]+\}"
    r"|\\?[A-Za-zα-ωθ]+)(?:\s?[A-Z]){0,2}(?:_\s*\{?[A-Za-z0-9 ]+\}?)?"
)

_ASSIGNED_FORMULA = re.compile(
    rf"(?:^|(?<=[,，]))\s*(?P<name>{_SYMBOL})\s*=\s*(?P<number>\d+(?:\.\d+)?)(?P<unit>{POWER}{UNIT_LETTERS})(?=\s*(?:[,，]|$))"
)

_ASSIGNED_PROSE = re.compile(
    rf"(?<![A-Za-z0-9_$\\(∠△])(?P<name>(?:∠"
    rf"|line segment )?[A-Za-zα-ω]{{1,3}}(?:_\{{?\w+\}}?)?)\s?[=＝]\s?"
    rf"(?P<number>\d+(?:\.\d+)?)(?P<unit>\s?{UNIT_WORD})?"
    r"(?=\s*(?:[,，.。；;）)、]|\s(?:and|is|as|where|in)\b|$|处|的|，))"
)

_ASSIGNED_MIXED = re.compile(
    rf"(?P<name>\$[A-Za-z]_?\{{?\w*\}}?\$)\s?=\s?(?P<number>\d+(?:\.\d+)?)(?P<unit>\s?{UNIT_WORD})(?=\s*(?:[,.]"
    rf"|\sand\b|$))"
)

_NAMED_BEFORE = re.compile(r"\b(?:angle|side|segment|arc|chord)\s$")

_EXAMPLE = re.compile(r"for example|\bwhen\b|例如", re.IGNORECASE)


def assigned(text: str, language: Language) -> list[Quantity]:
    """`m = 2 kg`, in a formula or outside."""
    found: list[Quantity] = []
    whole = formulas(text)
    for span in whole:
        inner = span.of(text)
        mark = re.match(r"\$\$|\$|\\\(|\\\[", inner)
        width = mark.end() if mark else 0
        for match in _ASSIGNED_FORMULA.finditer(inner[width : len(inner) - width]):
            place = Span(span.start + width + match.start("name"), span.start + width + match.end())
            if inner.startswith("$$") or not _has_balanced_braces(match[0]):
                continue
            word = _NAMED_BEFORE.search(text[: span.start])
            found.append(_stated(place, match, f"{word[0] if word else ''}$", "$"))
    pattern = _ASSIGNED_PROSE
    found += [
        _stated(Span(*match.span()), match, "", "")
        for match in pattern.finditer(text)
        if not any(span.covers(match.start()) for span in whole)
    ]
    if language is Language.ENGLISH:
        found += [_stated(Span(*match.span()), match, "", "") for match in _ASSIGNED_MIXED.finditer(text)]
    premise = [quantity for quantity in found if not _EXAMPLE.search(_sentence_of(text, quantity.place.start))]
    return [quantity for quantity in premise if not _is_counter(text, quantity)]


def _is_counter(text: str, quantity: Quantity) -> bool:
    """A bare `k = 3` or `t = 0` counts cases or marks a moment; a symbol that gets two values is no premise either."""
    names = re.findall(rf"(?<![A-Za-z\\_]){re.escape(quantity.name)}\s*[=＝]\s*-?[\d.]+", text)
    return quantity.name in {"t", "i", "k", "n", "j"} or len(names) > 1


def _sentence_of(text: str, position: int) -> str:
    return next((span.of(text) for span in sentences(text) if span.covers(position)), "")


def _stated(place: Span, match: re.Match[str], opening: str, closing: str) -> Quantity:
    name, unit = match["name"].strip(), (match["unit"] or "").rstrip()
    head = match[0][match[0].index(name) : match.start("number") - match.start()]
    return Quantity(place, name, match["number"], unit, f"{opening}{head}", f"{unit}{closing}", is_symbol=True)


def _has_balanced_braces(text: str) -> bool:
    return text.count("{") == text.count("}")
