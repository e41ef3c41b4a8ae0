"""Values stated by English sentences: an attribute with its value, how many things there are, or a short sentence that
holds one number."""

import re

from injectors.passages import Span, formulas, prose, sentences
from injectors.quantities import POWER, UNIT_LETTERS, UNIT_WORD, WORDS, Quantity

_NUMBER = r"(?<![\w.,\-–/^_{\\])\d+(?:\.\d+)?(?![\d/]|\.\d|,\d)"

_ATTRIBUTE = re.compile(
    r"\b(?P<name>mass|radius|diameter|height|side length|edge length|length|perimeters?|circumference|focal length"
    r"|radius of curvature|wavelength|frequency"
    r"|temperature|volume|density|refractive index|spring constant|resistance|capacitance|area|initial speed"
    r"|initial velocity|depth|thickness|cross-section|side"
    r"|interest rate|population)\s+(?:(?:of|is|was|equal to|=)\s+)?(?P<value>\$\d+(?:\.\d+)?[^$]*\$"
    r"|\d+(?:\.\d+)?(?:\s?(?:"
    rf"{UNIT_WORD}|inch(?:es)?|feet|foot|meters?|metres?|cent\w+|million|units?|years?|days?))?)(?=[\s,.;)]"
    rf"|$)(?!\s+and\s+\$?\d)(?!\s(?!and|is|are|was|in|on|at|to|of|has|for|as|it|by|the|or)[a-z]{{1,3}}\b)",
)

_NOT_A_PREMISE = re.compile(
    r"\bfor example\b|\be\.g\.|\bhint\b|\bFig(?:ure|\.)?\s?\d|\bTable \d|\bExperiment \d|\bCase \d|\bquestions? \d"
    r"|\bIf\b|\bwhen\b|\bLet\b|\bpossible\b"
    r"|\bexample\b|\bsuppose\b|\bwhere\b|\babout\b|\bapproximately\b|\bat least\b|\bat most\b|\beither\b|\bor\b"
    r"|\bconsider\b"
    r"|\bdefine|\bcalled\b|\bvariable|\bsome\b|\bwant(?:ed|s)? to\b|\basked\b|\bnot\b|\bno\b|\bmay\b|\bcan\b"
    r"|\bcould\b|\bprobability\b",
    re.IGNORECASE,
)

_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|weighs?|costs?|travels?|moves?|lasts?|takes?|took|contains?|consists?|shows?"
    r"|gives?|gave|wins?|bought|buys?"
    r"|sells?|sold|drives?|runs?|walks?|earns?|pays?|paid|puts?|makes?|made|sticks?|starts?|requires?|exceeds?"
    r"|receives?|received|needs?"
    r"|rises?|falls?|increased|decreased|grows?|flows?|stores?|keeps?"
    r"|stands? for|uses?|charges)\b"
)

_OWN_CLAUSE = re.compile(rf"^(?:it|he|she|they|then)\b|{_FINITE.pattern}")

_PRONOUN_START = re.compile(
    r"(?:They|This|That|These|Those|Then|So|But|And|Also|First|Second|Here|Now|After|Before|In the end|Therefore"
    r"|For this|It|Their|Hence|Thus|Two|Three|Four|Five)\b"
)

_LABEL_NOUN = re.compile(
    r"\b(?:position|point|station|level|stage|step|move|day|grade|medium|case|experiment|number|numbers|house|line"
    r"|row|column|question"
    r"|particle|machine|type|group|class|chapter|version|room|seat|page|P|part)\s$",
    re.IGNORECASE,
)

_COUNTED_SUBJECT = re.compile(
    rf"(?P<number>\d+|{'|'.join(word.capitalize() for word in WORDS)})\s"
    rf"(?P<things>(?:(?!of\b)[a-z]+\s){{0,2}}?(?!was\b|is\b)[a-z]+(?:s|ren|men))"
    r"(?=\s(?:are|were|of|stand|sit|play|live)\b)(?!\sof\s(?:the|these|them|those)\b)"
)

_LEAD = re.compile(r"^(?:When|Since|Given that|Suppose that|Suppose|Assume that|Assume)\s")

# Said a second time, "a hotel orders" could be another hotel; "for a poster" still means the same one.
_NEW_SUBJECT = re.compile(r"(?<!\bfor )(?<!\bof )(?<!\bin )(?<!\bon )(?<!\bwith )(?<!\bfrom )\ban? ", re.IGNORECASE)

_COUNTED_BY_NAME = re.compile(r"^(?:\s[a-z]+){1,4}\s(?:\$|[A-Z]\b)|\bthem\b|:")


_OWNER = re.compile(
    r"\b(?:[Aa]n?|[Tt]he)\s(?P<thing>(?:(?!(?:an?|the|with|in|on|to|at|by|and)\s)[a-z-]+\s){1,6}?(?:\$[^$]+\$\s)?)"
    r"(?:with|of|having|has)\s(?:(?:an?|the)\s)?$"
)
_UNOWNED = re.compile(r"(?:\b(?:of|with|and|has|have|its|whose|the)(?: an?| the)?)\s$", re.IGNORECASE)


def english(text: str) -> list[Quantity]:
    found = [quantity for match in _ATTRIBUTE.finditer(text) if (quantity := _attribute(text, match))]
    for span in sentences(text):
        quantity = _counted_subject(text, span) or _whole_statement(text, span)
        if quantity:
            found.append(quantity)
    return found


def _attribute(text: str, match: re.Match[str]) -> Quantity | None:
    """`a crate with a mass of 8 kg`, restated with what has the attribute; without it only where the text has no
    other attribute of that name."""
    name, value = match["name"], match["value"]
    number = re.search(r"\d+(?:\.\d+)?", value)
    simple = re.fullmatch(rf"\$?\d+(?:\.\d+)?{POWER}{UNIT_LETTERS}\$?|\d.*", value)
    owner = _OWNER.search(text[: match.start()])
    is_one = len(re.findall(rf"\b{name}\b", text)) == 1 and _UNOWNED.search(text[: match.start()])
    if not number or not simple or not (owner or is_one):
        return None
    opening = f"the {name} {'are' if name == 'perimeters' else 'is'}"
    if owner:
        opening = f"the {owner['thing']}has {'an' if name[0] in 'aeiou' else 'a'} {name} of"
    before, after = f"{opening} {value[: number.start()]}", value[number.end() :]
    return Quantity(Span(*match.span()), f"the {name}", number[0], after, before, after)


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
        match for match in re.finditer(rf"{_NUMBER}|\b(?:{'|'.join(WORDS)})\b", sentence) if _is_value(sentence, match)
    ]
    if (
        len(numbers) != 1
        or len(re.findall(r"\d+", sentence)) > 1 + power_digits(sentence)
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
        or (not re.match(r"[A-Z\\$]", sentence) and not lead)
        or _COUNTED_BY_NAME.search(sentence[number.end() :])
    ):
        return None
    opened = _as_clause(sentence[: number.start()])
    if _NEW_SUBJECT.search(opened[: verb.start()]):
        return None
    unit = re.match(rf"\s?{UNIT_WORD}(?![A-Za-z])|[^$]*", sentence[number.end() :])
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


def power_digits(sentence: str) -> int:
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
        or re.search(r"[=<>+*(,]\s*$|\bthe $|\bbetween $|(?:first|last|other|these|those|any|every) $", before)
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
