"""Stated values: a number with the words or the symbol that say what it is the value of, and the same statement with another
number. A value is only taken where the statement can be repeated word for word, so that the two clearly speak of one thing."""

import random
import re
from typing import NamedTuple

from core.records import Language
from injectors.passages import Span, formulas, prose, sentences

_NUMBER = r"(?<![\w.,\-–/^_{\\])\d+(?:\.\d+)?(?![\d/]|\.\d|,\d)"
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12
}  # fmt: skip
_SPELLED = {number: word for word, number in _WORDS.items()} | {1: "one", 15: "fifteen", 16: "sixteen", 18: "eighteen"}
_CHINESE_DIGITS = "一二三四五六七八九十"

_UNIT_LETTERS = r"(?:\\(?:mathrm|text|mathbf|rm|operatorname)\s*\{[^{}]*\}|\\(?:Omega|mu|circ|%|degree)|[~\s/^{}\\,;.·]|\\cdot|-?\d)*"
_POWER = r"(?:\s*\\(?:times|cdot)\s*10\s*\^\s*\{?\s*-?\d+\s*\}?)?"
_SYMBOL = r"(?:\\angle\s*|∠)?(?:\\(?:mathrm|text|mathbf)\s*\{[A-Za-z ]+\}|\\?[A-Za-zα-ωθ]+)(?:\s?[A-Z]){0,2}(?:_\s*\{?[A-Za-z0-9 ]+\}?)?"
_ASSIGNED_FORMULA = re.compile(
    rf"(?:^|(?<=[,，]))\s*(?P<name>{_SYMBOL})\s*=\s*(?P<number>\d+(?:\.\d+)?)(?P<unit>{_POWER}{_UNIT_LETTERS})(?=\s*(?:[,，]|$))"
)
_UNIT_WORD = (
    r"(?:°\s?C|°|%|k?Ω|m?V|m?A|μ?F|k?W|k?J|k?N(?:/m)?|k?Pa|atm|kg|mg|μ?g|[kcmnd]?m(?:\^?[23²³])?(?:/s(?:\^?[2²])?)?|km/h|L|mL|ms|s|min|h|Hz|K|mol"
    r"|[nμm]?C|eV|T|cm|mm|t|ml|l|mol/l|g/mol|V|ohms?)"
)
_ASSIGNED_PROSE = re.compile(
    rf"(?<![A-Za-z0-9_$\\(∠△])(?P<name>(?:∠|line segment )?[A-Za-zα-ω]{{1,3}}(?:_\{{?\w+\}}?)?)\s?[=＝]\s?(?P<number>\d+(?:\.\d+)?)(?P<unit>\s?{_UNIT_WORD})?"
    r"(?=\s*(?:[,，.。；;）)、]|\s(?:and|is|as|where|in)\b|$|处|的|，))"
)
_ASSIGNED_MIXED = re.compile(
    rf"(?P<name>\$[A-Za-z]_?\{{?\w*\}}?\$)\s?=\s?(?P<number>\d+(?:\.\d+)?)(?P<unit>\s?{_UNIT_WORD})(?=\s*(?:[,.]|\sand\b|$))"
)
_ATTRIBUTE = re.compile(
    r"\b(?P<name>mass|radius|diameter|height|side length|edge length|length|perimeters?|circumference|focal length|radius of curvature|wavelength|frequency"
    r"|temperature|volume|density|refractive index|spring constant|resistance|capacitance|area|initial speed|initial velocity|depth|thickness"
    r"|interest rate|population)\s+(?:(?:of|is|was|equal to|=)\s+)?(?P<value>\$\d+(?:\.\d+)?[^$]*\$|\d+(?:\.\d+)?(?:\s?(?:"
    rf"{_UNIT_WORD}|inch(?:es)?|feet|foot|meters?|metres?|cent\w+|million|units?|years?|days?))?)(?=[\s,.;)]|$)(?!\s+and\s+\$?\d)(?!\s(?!and|is|are|was|in|on|at|to|of|has|for|as|it|by|the|or)[a-z]{{1,3}}\b)",
)
_CONSTANT = re.compile(r"constant|speed of light|gravity|charge magnitude|Avogadro|重力加速度|光速|常数|常量")
_NOT_A_PREMISE = re.compile(
    r"\bfor example\b|\be\.g\.|\bhint\b|\bFig(?:ure|\.)?\s?\d|\bTable \d|\bExperiment \d|\bCase \d|\bquestions? \d|\bIf\b|\bwhen\b|\bLet\b|\bpossible\b"
    r"|\bexample\b|\bsuppose\b|\bwhere\b|\babout\b|\bapproximately\b|\bat least\b|\bat most\b|\beither\b|\bor\b|\bconsider\b"
    r"|\bdefine|\bcalled\b|\bvariable|\bsome\b|\bwant(?:ed|s)? to\b|\basked\b|\bnot\b|\bno\b|\bmay\b|\bcan\b|\bcould\b|\bprobability\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|weighs?|costs?|travels?|moves?|lasts?|takes?|took|contains?|consists?|shows?|gives?|gave|wins?|bought|buys?"
    r"|sells?|sold|drives?|runs?|walks?|earns?|pays?|paid|puts?|makes?|made|sticks?|starts?|requires?|exceeds?|receives?|received|needs?"
    r"|rises?|falls?|increased|decreased|grows?|flows?)\b"
)
_OWN_CLAUSE = re.compile(rf"^(?:it|he|she|they|then)\b|{_FINITE.pattern}")
_PRONOUN_START = re.compile(
    r"(?:They|This|That|These|Those|Then|So|But|And|Also|First|Second|Here|Now|After|Before|In the end|Therefore|For this|It|Their|Hence|Thus|Two|Three|Four|Five)\b"
)
_NAMED_BEFORE = re.compile(r"\b(?:angle|side|segment|arc|chord)\s$")
_EXAMPLE = re.compile(r"for example|\bwhen\b|例如", re.IGNORECASE)
_LABEL_NOUN = re.compile(
    r"\b(?:position|point|station|level|stage|step|move|day|grade|medium|case|experiment|number|numbers|house|line|row|column|question"
    r"|particle|machine|type|group|class|chapter|version|room|seat|page|P|part)\s$",
    re.IGNORECASE,
)
_COUNTED_SUBJECT = re.compile(
    rf"(?P<number>\d+|{'|'.join(word.capitalize() for word in _WORDS)})\s(?P<things>(?:(?!of\b)[a-z]+\s){{0,2}}?(?!was\b|is\b)[a-z]+(?:s|ren|men))"
    r"(?=\s(?:are|were|of|stand|sit|play|live)\b)(?!\sof\s(?:the|these|them|those)\b)"
)
_LEAD = re.compile(r"^(?:When|Since|Given that|Suppose that|Suppose|Assume that|Assume)\s")
_COUNTED_BY_NAME = re.compile(r"^(?:\s[a-z]+){1,4}\s(?:\$|[A-Z]\b)|\bthem\b|:")
_CHINESE_LEAD = re.compile(
    r"^(?:又?已知|若|如果|假设|设|其中|现有|现测得|测得|且|则|当|而|并且|但|且已知|如图所示|如图|忽略|恰好以)"
)
_CHINESE_STATED = re.compile(
    rf"(?:均?[为是＝=]|大小为|等于|共有|有|达到?|长)\s*(?P<number>\d+(?:\.\d+)?)(?P<unit>{_POWER}\s*(?:{_UNIT_WORD}|[个只条名人次块米元度秒天年颗头件种辆本]|厘米|千克|小时|分钟|\\Omega)?)\s*$"
)
_CHINESE_OWNED = re.compile(
    rf"(?P<name>质量|半径|边长|长度|高度?|电阻|内阻|速度|初速度|体积|电荷量|直径|面积|周长|动摩擦因数)[均都]?(?:为|是)(?P<number>\d+(?:\.\d+)?)"
    rf"(?P<unit>{_POWER}\s?{_UNIT_WORD}?)的(?P<owner>[⊙A-Za-z\u4e00-\u9fff]{{1,5}}?)(?=[上中下内从在与和沿以放静，。；]|$)"
)


# Unit, words of a request that the unit serves, words of any part of the text that tie it to the request.
_USES = (
    (
        r"°\s?C|℃|K",
        r"temperatur|warm|heat|hot|cold|cool|pressure|therm|expan|efficien|entropy|热|温|压强",
        r"ideal gas|Carnot|thermocouple|solubil|热量",
    ),
    (
        r"[kmμ]?g|t|千克|克",
        r"mass|weigh|heavy|force|friction|momentum|energy|work|accelerat|densit|concentrat|collid|collision|veloc|period|compress|tension|made of|how (?:fast|much)"
        r"|质量|力|动量|能|功|加速度|密度|浓度|速度|周期",
        r"densit|spring|molar|密度|弹簧|碰撞",
    ),
    (
        r"ms|s|min|h|hours?|minutes?|seconds?|秒|分钟|小时",
        r"time|how (?:long|many|far|fast|much|often)|speed|velocit|accelerat|force|charge|distance|rate|frequen|power|period|when|时|速|力|功率|距离|多少|电荷|频率|位移",
        r"(?!)",
    ),
)


class Quantity(NamedTuple):
    """`place` is where the value is stated, `name` what it is the value of, `old` the value. `before` and `after` stand round
    the number in a full statement without its full stop."""

    place: Span
    name: str
    number: str
    unit: str
    before: str
    after: str

    def restated(self, number: str) -> str:
        return f"{self.before}{number}{self.after}"


def other_number(number: str, unit: str, stream: random.Random) -> str | None:
    """A clearly different value of the same form; None where none would be sensible."""
    if number.lower() in _WORDS:
        return _SPELLED[_WORDS[number.lower()] + stream.choice((1, 2, 3))] if _WORDS[number.lower()] < 10 else None
    digits = len(number.partition(".")[2])
    value = float(number)
    if value == 0:
        return None
    if "°" in unit and "C" not in unit or "circ" in unit:
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


def find_quantities(text: str, end: int, language: Language) -> list[Quantity]:
    """The values stated before character `end`, each with the words to state it again."""
    found = [*_assigned(text, language), *(_chinese(text) if language is Language.CHINESE else _english(text))]
    kept: list[Quantity] = []
    for quantity in sorted(found, key=lambda quantity: quantity.place):
        outside = quantity.place.end > end
        doubled = any(other.place.covers(quantity.place.start) for other in kept)
        bit = quantity.number in ("0", "1") and re.search(r"[=＝]\s*0(?![.\d])", text)
        if not (outside or doubled or bit or _is_constant(text, quantity)):
            kept.append(quantity)
    return kept


def is_idle(quantity: Quantity, request: str, text: str) -> bool:
    """Whether a value is of a kind that the request shows no use for: the mass of a tram when a distance is asked for."""
    unit = quantity.unit.strip(" ~$").replace("\\mathrm", "").strip("{}~ ")
    for units, request_words, text_words in _USES:
        if re.fullmatch(units, unit):
            return not (re.search(request_words, request, re.IGNORECASE) or re.search(text_words, text, re.IGNORECASE))
    return False


def _is_constant(text: str, quantity: Quantity) -> bool:
    line = text[text.rfind("\n", 0, quantity.place.start) + 1 : quantity.place.end]
    return bool(_CONSTANT.search(line[-60:])) or line.startswith("- ")


def _assigned(text: str, language: Language) -> list[Quantity]:
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
    return Quantity(place, name, match["number"], unit, f"{opening}{head}", f"{unit}{closing}")


def _has_balanced_braces(text: str) -> bool:
    return text.count("{") == text.count("}")


def _english(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    for match in _ATTRIBUTE.finditer(text):
        name, value = match["name"], match["value"]
        number = re.search(r"\d+(?:\.\d+)?", value)
        simple = re.fullmatch(rf"\$?\d+(?:\.\d+)?{_POWER}{_UNIT_LETTERS}\$?|\d.*", value)
        if number and simple and len(re.findall(rf"\b{name}\b", text)) == 1:
            before = f"the {name} {'are' if name == 'perimeters' else 'is'} {value[: number.start()]}"
            found.append(
                Quantity(
                    Span(*match.span()), f"the {name}", number[0], value[number.end() :], before, value[number.end() :]
                )
            )
    for span in sentences(text):
        quantity = _counted_subject(text, span) or _whole_statement(text, span)
        if quantity:
            found.append(quantity)
    return found


def _counted_subject(text: str, span: Span) -> Quantity | None:
    """A sentence that begins with how many there are of something."""
    match = _COUNTED_SUBJECT.match(span.of(text))
    if (
        not match
        or "?" in span.of(text)
        or _NOT_A_PREMISE.search(span.of(text))
        or re.search(r"\s(?:\$\\?[A-Za-z]|[A-Z]\b)", span.of(text)[match.end() :])
    ):
        return None
    number = match["number"].lower()
    place = Span(span.start, span.start + match.end("things"))
    return Quantity(place, f"the number of {match['things']}", number, "", "there are ", f" {match['things']}")


def _whole_statement(text: str, span: Span) -> Quantity | None:
    """A short sentence, or its part before the first comma, that holds exactly one number."""
    whole = span.of(text).rstrip(".。 ")
    lead = _LEAD.match(whole)
    sentence = _main_clause(whole[lead.end() :] if lead else whole)
    numbers = [
        match for match in re.finditer(rf"{_NUMBER}|\b(?:{'|'.join(_WORDS)})\b", sentence) if _is_value(sentence, match)
    ]
    if (
        len(numbers) != 1
        or len(re.findall(r"\d+", sentence)) > 1 + _power_digits(sentence)
        or len(sentence.split()) > 22
    ):
        return None
    verb = _FINITE.search(prose(sentence))
    if (
        not verb
        or "?" in whole
        or _NOT_A_PREMISE.search(sentence)
        or _PRONOUN_START.match(sentence)
        or "<image" in sentence
    ):
        return None
    number = numbers[0]
    if (
        number.start() < verb.start()
        or not re.match(r"[A-Z\\$]", sentence)
        and not lead
        or _COUNTED_BY_NAME.search(sentence[number.end() :])
    ):
        return None
    opened = _as_clause(sentence[: number.start()])
    unit = re.match(rf"\s?{_UNIT_WORD}(?![A-Za-z])|[^$]*", sentence[number.end() :])
    return Quantity(
        Span(span.start, span.start + (lead.end() if lead else 0) + len(sentence)),
        f'the value in "{sentence}"',
        number[0],
        unit[0] if unit else "",
        opened,
        sentence[number.end() :],
    )


def _main_clause(sentence: str) -> str:
    """The sentence up to the first comma or bracket, or to an "and" that begins a clause of its own."""
    words = prose(sentence)
    for match in re.finditer(r",\s|;\s|\s\(|\s(?:but|so|who|which)\s|\sand\s", words):
        if match[0].strip() != "and" or _OWN_CLAUSE.search(words[match.end() :]):
            return sentence[: match.start()].rstrip()
    return sentence


def _power_digits(sentence: str) -> int:
    return 2 if re.search(r"10\s*\^", sentence) else len(re.findall(r"\^\s*\{?\d", sentence))


def _is_value(sentence: str, match: re.Match[str]) -> bool:
    year = re.fullmatch(r"1[5-9]\d\d|20\d\d", match[0])
    ordinal = re.match(r"(?:st|nd|rd|th)\b|-", sentence[match.end() :])
    before = sentence[: match.start()]
    factor = re.match(
        r"\s?(?:[A-Za-z(]\b|\\(?!mathrm|text|circ|%|times|,|;|mu|Omega|,)[A-Za-z])", sentence[match.end() :]
    )
    is_formula = any(span.covers(match.start()) for span in formulas(sentence))
    label = _LABEL_NOUN.search(before)
    return not (
        year
        or ordinal
        or label
        or (factor and is_formula)
        or re.search(
            r"[=<>+*(,]\s*$|\b(?:of|than) the $|\bbetween $|(?:first|last|other|these|those|any|every) $", before
        )
    )


def _as_clause(opening: str) -> str:
    """The opening of a sentence as it stands after "Note that"; what was new there is known now."""
    first, _, rest = opening.partition(" ")
    known = {"A": "the", "An": "the", "The": "the"}
    if first in known:
        return f"{known[first]} {rest}"
    lowered = {
        "There",
        "His",
        "Her",
        "Its",
        "Each",
        "Every",
        "One",
        "Both",
        "All",
        "On",
        "In",
        "At",
        "It",
        "He",
        "She",
        "For",
        "Because",
        "With",
        "From",
        "By",
        "During",
    }
    return f"{first.lower() if first in lowered else first} {rest}"


def _chinese(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    for match in _CHINESE_OWNED.finditer(text):
        before, after = f"{match['owner']}的{match['name']}为", match["unit"].rstrip()
        found.append(
            Quantity(Span(*match.span()), f"{match['owner']}的{match['name']}", match["number"], after, before, after)
        )
    for match in re.finditer(r"[^，。；：,;\n$？]+", text):
        clause = match[0].strip()
        stated = _CHINESE_STATED.search(_CHINESE_LEAD.sub("", clause))
        body = _CHINESE_LEAD.sub("", clause)
        if (
            not stated
            or len(body) > 32
            or len(re.findall(r"(?<![A-Za-z_\d])\d+(?:\.\d+)?", body)) > 1 + _power_digits(body)
        ):
            continue
        if re.search(r"[～~≤≥<>]|[、与和]$|^\d|例如|约|第|图|每|那|一段", body) or not re.search(
            r"[\u4e00-\u9fff]", body[: stated.start()]
        ):
            continue
        start = match.start() + match[0].index(clause) + len(clause) - len(body)
        name = re.sub(r"(?:均|都|大小)?$", "", body[: stated.start()])
        before, after = body[: stated.start("number")], body[stated.end("number") :].rstrip()
        found.append(Quantity(Span(start, start + len(body)), name, stated["number"], after, before, after))
    return found
