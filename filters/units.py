"""Units of measurement in answers, English and Chinese, so that 250 cm is 2.5 m and 3 kg is not 3 m. A unit that is not
known here says nothing."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

_SYMBOLS: dict[str, tuple[str, float]] = {
    "mm": ("length", 1e-3),
    "cm": ("length", 1e-2),
    "dm": ("length", 1e-1),
    "m": ("length", 1.0),
    "km": ("length", 1e3),
    "mg": ("mass", 1e-6),
    "g": ("mass", 1e-3),
    "kg": ("mass", 1.0),
    "t": ("mass", 1e3),
    "ms": ("time", 1e-3),
    "s": ("time", 1.0),
    "min": ("time", 60.0),
    "h": ("time", 3600.0),
    "d": ("time", 86400.0),
    "N": ("force", 1.0),
    "kN": ("force", 1e3),
    "J": ("energy", 1.0),
    "kJ": ("energy", 1e3),
    "W": ("power", 1.0),
    "kW": ("power", 1e3),
    "Pa": ("pressure", 1.0),
    "kPa": ("pressure", 1e3),
    "V": ("voltage", 1.0),
    "mA": ("current", 1e-3),
    "A": ("current", 1.0),
    "Ω": ("resistance", 1.0),
    "kΩ": ("resistance", 1e3),
    "mol": ("amount", 1.0),
    "Hz": ("frequency", 1.0),
    "°": ("angle", 1.0),
    "%": ("share", 1.0),
}
_VOLUMES = {"ml": 1e-6, "l": 1e-3}
_WORDS = (
    ("mm", r"milli ?met(?:er|re)s?|毫米"),
    ("cm", r"centi ?met(?:er|re)s?|厘米"),
    ("km", r"kilo ?met(?:er|re)s?|千米|公里"),
    ("m", r"met(?:er|re)s?|米"),
    ("mg", r"milligram(?:me)?s?|毫克"),
    ("kg", r"kilogram(?:me)?s?|kilos?|千克|公斤"),
    ("g", r"gram(?:me)?s?|克"),
    ("t", r"tons?|tonnes?|吨"),
    ("ms", r"milliseconds?|毫秒"),
    ("s", r"seconds?|secs?|秒"),
    ("min", r"minutes?|mins?|分钟|分"),
    ("h", r"hours?|hrs?|个?小时|时"),
    ("d", r"days?|天|日"),
    ("ml", r"millilit(?:er|re)s?|mL|毫升"),
    ("l", r"lit(?:er|re)s?|L|升"),
    ("kN", r"kilonewtons?|千牛顿?"),
    ("N", r"newtons?|牛顿?"),
    ("kJ", r"kilojoules?|千焦耳?"),
    ("J", r"joules?|焦耳?"),
    ("kW", r"kilowatts?|千瓦"),
    ("W", r"watts?|瓦特?"),
    ("Pa", r"pascals?|帕斯?卡?"),
    ("V", r"volts?|伏特?"),
    ("A", r"amp(?:ere)?s?|安培?"),
    ("Ω", r"ohms?|欧姆?|Ω"),
    ("mol", r"moles?|摩尔"),
    ("°", r"degrees?|deg|度"),
    ("%", r"percent|per cent"),
)
_PATTERNS = tuple((symbol, re.compile(rf"(?:{pattern})", re.IGNORECASE)) for symbol, pattern in _WORDS)
_POWERS = ((2, re.compile(r"(?:square|平方)\s*")), (3, re.compile(r"(?:cubic|立方)\s*")))
_FACTOR = re.compile(r"([^\d^]+?)\s*\^?([23])?")
_SEPARATOR = re.compile(r"\s*(/|\bper\b|\*|·|每)\s*")


class Unit(NamedTuple):
    """`dimensions` maps a quantity to its exponent; `factor` leads to the unit that stands for it."""

    dimensions: Mapping[str, int]
    factor: float


def parse_unit(text: str) -> Unit | None:
    """A product or quotient of known units with exponents up to 3; None for anything else."""
    dimensions: Counter[str] = Counter()
    factor = 1.0
    sign = 1
    for index, piece in enumerate(_SEPARATOR.split(text.strip())):
        if index % 2:
            sign = 1 if piece in "*·" else -1
            continue
        part = _parse_factor(piece)
        if part is None:
            return None
        for name, exponent in part.dimensions.items():
            dimensions[name] += sign * exponent
        factor *= part.factor**sign
    return Unit({name: exponent for name, exponent in dimensions.items() if exponent}, factor)


def _parse_factor(text: str) -> Unit | None:
    power = 1
    for exponent, pattern in _POWERS:
        text, found = pattern.subn("", text, count=1)
        power = exponent if found else power
    match = _FACTOR.fullmatch(text)
    if match is None:
        return None
    symbol = _symbol_of(match[1].strip())
    power *= int(match[2] or 1)
    if symbol in _VOLUMES:
        return Unit({"length": 3 * power}, _VOLUMES[symbol] ** power)
    if symbol not in _SYMBOLS:
        return None
    name, factor = _SYMBOLS[symbol]
    return Unit({name: power}, factor**power)


def _symbol_of(text: str) -> str:
    if text in _SYMBOLS:
        return text
    return next((symbol for symbol, pattern in _PATTERNS if pattern.fullmatch(text)), text)
