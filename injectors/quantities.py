"""A stated value: a number with the words or the symbol that say what it is the value of, and the same statement with
another number. Repeating the statement word for word makes sure that the two speak of one thing."""

import random
from typing import NamedTuple

from injectors.passages import Span

WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip

_SPELLED = {number: word for word, number in WORDS.items()} | {1: "one", 15: "fifteen", 16: "sixteen", 18: "eighteen"}

POWER = r"(?:\s*\\(?:times|cdot)\s*10\s*\^\s*\{?\s*-?\d+\s*\}?)?"

UNIT_LETTERS = (
    r"(?:\\(?:mathrm|text|mathbf|rm|operatorname)\s*\{[^{}]*\}|\\(?:Omega|mu|circ|%|degree)"
    r"|[~\s/^{}\\,;.·]|\\cdot|-?\d)*"
)

UNIT_WORD = (
    r"(?:°\s?C|°|%|k?Ω|m?V|m?A|μ?F|k?W|k?J|k?N(?:/m)?|k?Pa|atm|kg|mg|μ?g|[kcmnd]?m(?:\^?[23²³])?(?:/s(?:\^?[2²])?)?"
    r"|[kcmnd]?g/[cdm]?m\^?[3³]|km/h|L|mL|ms|s|min|h|Hz|K|mol"
    r"|[nμm]?C|eV|T|cm|mm|t|ml|l|mol/l|g/mol|V|ohms?)"
)


class Quantity(NamedTuple):
    """`place` is where the value is stated, `name` what it is the value of, `number` the value. `before` and `after`
    stand round the number in a full statement without its full stop. `is_symbol`: stated by an equation."""

    place: Span
    name: str
    number: str
    unit: str
    before: str
    after: str
    is_symbol: bool = False

    def restated(self, number: str) -> str:
        return f"{self.before}{number}{self.after}"


def other_number(number: str, unit: str, stream: random.Random) -> str | None:
    """A clearly different value of the same form; None where none would be sensible."""
    if number.lower() in WORDS:
        return _SPELLED[WORDS[number.lower()] + stream.choice((1, 2, 3))] if WORDS[number.lower()] < 10 else None
    digits = len(number.partition(".")[2])
    value = float(number)
    if value == 0:
        return None
    if ("°" in unit and "C" not in unit) or "circ" in unit:
        return _other_angle(value, digits, stream)
    factors = [factor for factor in (0.5, 0.75, 1.25, 1.5, 2.0) if not ("%" in unit and value * factor > 100)]
    made = sorted({f"{value * factor:.{digits}f}" for factor in factors} - {number, f"{0:.{digits}f}", "1"})
    far = [text for text in made if abs(float(text) - value) >= 0.2 * value]
    return stream.choice(far) if far else f"{value + 1:.{digits}f}"


def _other_angle(value: float, digits: int, stream: random.Random) -> str | None:
    if value > 180:
        return None
    made = [value + step for step in (-30, -20, 20, 30) if 10 <= value + step < 180]
    return f"{stream.choice(made):.{digits}f}"
