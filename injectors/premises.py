"""The stated values that a request rests on: all that a text states before the request, without constants and without
those that the request shows no use for."""

import re

from core.records import Language
from injectors.assignments import assigned
from injectors.chinese_statements import chinese
from injectors.english_statements import english
from injectors.quantities import Quantity

_CONSTANT = re.compile(r"constant|speed of light|gravity|charge magnitude|Avogadro|重力加速度|光速|常数|常量")

# Unit, words of a request that the unit serves, words of any part of the text that tie it to the request.
_USES = (
    (
        r"°\s?C|℃|K",
        r"temperatur|warm|heat|hot|cold|cool|pressure|therm|expan|efficien|entropy|热|温|压强",
        r"ideal gas|Carnot|thermocouple|solubil|热量",
    ),
    (
        r"[kmμ]?g|t|千克|克",
        r"mass|weigh|heavy|force|friction|momentum|energy|work|accelerat|densit|concentrat|collid|collision|veloc"
        r"|period|compress|tension|made of|how (?:fast|much)"
        r"|质量|力|动量|能|功|加速度|密度|浓度|速度|周期",
        r"densit|spring|molar|密度|弹簧|碰撞",
    ),
    (
        r"ms|s|min|h|hours?|minutes?|seconds?|秒|分钟|小时",
        r"time|how (?:long|many|far|fast|much|often)|speed|velocit|accelerat|force|charge|distance|rate|frequen"
        r"|power|period|when|时|速|力|功率|距离|多少|电荷|频率|位移",
        r"(?!)",
    ),
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


def is_idle(quantity: Quantity, request: str, text: str) -> bool:
    """Whether a value is of a kind that the request shows no use for: the mass of a tram when a distance is asked
    for."""
    unit = quantity.unit.strip(" ~$").replace("\\mathrm", "").strip("{}~ ")
    for units, request_words, text_words in _USES:
        if re.fullmatch(units, unit):
            return not (re.search(request_words, request, re.IGNORECASE) or re.search(text_words, text, re.IGNORECASE))
    return False


def _is_constant(text: str, quantity: Quantity) -> bool:
    line = text[text.rfind("\n", 0, quantity.place.start) + 1 : quantity.place.end]
    return bool(_CONSTANT.search(line[-60:])) or line.startswith("- ")
