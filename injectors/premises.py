"""The values that a text states before the request, without constants. Whether the request needs them is decided in
`relevance`."""

import re

from core.records import Language
from injectors.assignments import assigned
from injectors.chinese_statements import chinese
from injectors.english_statements import english
from injectors.quantities import Quantity

_CONSTANT = re.compile(
    r"constant|speed of light|gravity|free fall|molar mass|density of (?:water|air|iron|copper|gold|steel)"
    r"|摩尔质量|[铝铁铜铅金银水冰]的密度|charge magnitude|Avogadro|重力加速度|光速|常数|常量"
)


def find_quantities(text: str, end: int, language: Language) -> list[Quantity]:
    """The values stated before character `end`, each with the words to state it again."""
    found = [*assigned(text, language), *(chinese(text) if language is Language.CHINESE else english(text))]
    kept: list[Quantity] = []
    for quantity in sorted(found, key=lambda quantity: quantity.place):
        outside = quantity.place.end > end
        doubled = any(other.place.covers(quantity.place.start) for other in kept)
        bit = quantity.number in ("0", "1") and re.search(r"[=＝]\s*0(?![.\d])", text)
        if not (outside or doubled or bit or _is_constant(text, quantity)):
            kept.append(quantity)
    return kept


def _is_constant(text: str, quantity: Quantity) -> bool:
    line = text[text.rfind("\n", 0, quantity.place.start) + 1 : quantity.place.end]
    return bool(_CONSTANT.search(line[-60:])) or line.startswith("- ")
