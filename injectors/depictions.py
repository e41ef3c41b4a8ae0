"""What a text says of its picture: statements that stand in the same sentence as words such as "as shown", and that can be
turned into another statement which the picture does not bear out. All mentions change, so the text agrees with itself."""

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from core.records import Language
from injectors.passages import Span, goal_start, prose, sentences, untouchable
from injectors.wordlists import word_list

_POINTER = {
    Language.ENGLISH: re.compile(
        r"\b(?:as|is|are) (?:shown|pictured|depicted|drawn|seen|illustrated|indicated)\b|\b(?:shown|pictured|drawn|depicted) (?:below|above|here|in|at|on)\b"
        r"|\b(?:in|on|see|from) (?:the|this|that) (?:\w+ )?(?:figure|diagram|picture|image|graph|chart|plot|map|drawing|photo|sketch|table|radiograph)\b|<image \d+>"
        r"|\b(?:the|this|a) (?:\w+ )?(?:figure|diagram|picture|image|graph|chart|plot|map|drawing)(?: \w+){0,3} (?:shows|depicts|displays|below|above)\b|\bsee (?:figure|diagram)\b"
        r"|\bFig(?:ure)?\.? ?\w|\bthe figure\b|\bin this (?:diagram|picture)|\byou (?:can )?see\b|\bshown\b",
        re.IGNORECASE,
    ),
    Language.CHINESE: re.compile(
        r"如图|图中|下图|上图|右图|左图|图所示|示意图|由图|见图|此图|如下|<image \d+>|图[甲乙丙丁\d]"
    ),
}
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_COUNTED = re.compile(
    rf"(?<![\w.])(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}}) (?P<things>(?:(?!of\b|mol\b|units?\b|percent\b|cent)[a-z]{{3,}} ){{0,2}}?(?P<noun>[a-z]{{3,}}(?:s|ren|dice|mice)|dice))\b(?! of (?!the same|equal|radius|different))",
    re.IGNORECASE,
)
_NOT_COUNTED = re.compile(
    r"(?:times|hours|minutes|seconds|days|weeks|years|months|meters|metres|inches|feet|miles|degrees|dollars|cents|euros|units|options|ways|operations"
    r"|moves|digits|steps|percent|halves|sides|others|points|positions|is|was|this|letters|decimals|places|numbers|answers|pieces|trips|thirds|vertices|players|persons|parts|versions|experiments|machines|groups|samples|sets|cases|types|kinds|colors|colours|results|pages|functions)$"
)


_LONGEST_SENTENCE = 50
_LONGEST_TEXT = 140


class Restatement(NamedTuple):
    """One statement and its opposite: the places to change with what stands there then, the words before and after, and
    what they are about."""

    places: tuple[tuple[Span, str], ...]
    before: str
    after: str
    attribute: str


Finder = Callable[[str, list[Span], Language, random.Random], list[Restatement]]


def pointing_sentences(text: str, language: Language) -> list[Span]:
    """Sentences that speak of what the picture shows."""
    found = [span for span in sentences(text) if _POINTER[language].search(span.of(text))]
    found = [span for span in found if len(span.of(text).split()) <= _LONGEST_SENTENCE]
    whole = untouchable(text)
    return [span for span in found if not any(span.start > one.start and span.end < one.end for one in whole)]


def _mentions(text: str, pattern: str) -> list[Span]:
    return [Span(*match.span()) for match in re.finditer(pattern, text)]


def _inside(spans: list[Span], place: Span) -> bool:
    return any(span.covers(place.start) for span in spans)


def swapped_colours(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """Every mention of a colour becomes a colour that the text does not name."""
    words = word_list("swaps")[language.value]
    plain = prose(text)
    if _is_long(text) or any(phrase in plain.lower() for phrase in words.get("not_colours", [])):
        return []
    free = [one for one in words["new_colours"] if one not in plain.lower()]
    found: list[Restatement] = []
    for colour in words["colours"]:
        places = _mentions(plain, _colour_pattern(colour, language))
        if not free or _names_labelled_things(plain, places) or not any(_inside(shown, place) for place in places):
            continue
        new = stream.choice(free)
        after = tuple((place, _with_article(place.of(text), new)) for place in places)
        found.append(Restatement(after, colour, new, "a colour"))
    return found


def _colour_pattern(colour: str, language: Language) -> str:
    if language is Language.CHINESE:
        return rf"{colour}(?=色|球|车|灯|花|圆|珠|旗)"
    return rf"(?:\b(?:[Aa]n? )?{colour}|(?:^|(?<=[.?!]\s)){colour.capitalize()})\b(?!\s*(?:and white|or white)|-)"


def _names_labelled_things(plain: str, places: list[Span]) -> bool:
    """`the red arrow W`: the label still says which thing is meant, so the colour would hardly matter."""
    return all(
        re.match(r"(?:\s[a-z]+){1,2}\s[A-Z]\b|色?的?[\u4e00-\u9fff]{0,3}\s?[A-Z]", plain[place.end :])
        for place in places
    )


def _with_article(written: str, word: str) -> str:
    article = re.match(r"[Aa]n? ", written)
    return f"{_article(article[0], word)}{word}" if article else _in_case(written, word)


def swapped_words(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """A direction, a kind of chart, a shape becomes its opposite, where the text mentions it once."""
    plain = prose(text)
    found: list[Restatement] = []
    words = word_list("swaps")[language.value]
    if _is_long(text):
        return []
    for old, new in words["pairs"]:
        places = _mentions(plain, rf"\b(?:[Aa]n? )?{old}\b" if language is Language.ENGLISH else old)
        others = _mentions(plain, rf"\b{new}\b" if language is Language.ENGLISH else new)
        is_tied = re.search(words["tied"].get(old, r"(?!)"), plain)
        if (
            len(places) == 1
            and not others
            and not is_tied
            and _inside(shown, places[0])
            and not _is_part_of_other(plain, places[0], language)
        ):
            written = _with_article(places[0].of(plain), new)
            found.append(Restatement(((places[0], written),), old, new, "what is drawn and where"))
    return found


def _is_part_of_other(plain: str, place: Span, language: Language) -> bool:
    """`clockwise` inside `counterclockwise`, `上方` beside `下方` are left to the longer or safer rule."""
    if language is Language.CHINESE:
        return bool(re.match(r"逆|非", plain[place.start - 1 : place.start])) or bool(
            re.search(r"[左右上下][侧方].*[左右上下][侧方]", plain)
        )
    return bool(
        re.search(
            r"(?:counter|anti|non-?|all |(?:picture|diagram|figure|graph|image|drawing|map|look(?:s|ing)?|see) )$",
            plain[: place.start],
        )
    )


def swapped_things(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """Every mention of an animal, a vehicle, a fruit becomes another one. Where there are several, it must be one that the
    end of the text, the request, speaks of."""
    plain = prose(text)
    if _is_long(text):
        return []
    found: list[Restatement] = []
    pairs = word_list("swaps")[language.value]["creatures"]
    places_of = {old: _mentions(plain, _thing_pattern(old, language)) for old, _ in pairs}
    present = [old for old, places in places_of.items() if places]
    request = goal_start(text, language)
    for old, new in pairs:
        places = places_of[old]
        is_central = len(present) == 1 or any(place.start >= request for place in places)
        if not is_central or new in plain.lower() or not any(_inside(shown, place) for place in places):
            continue
        after = [new if language is Language.CHINESE else _like(place.of(plain), old, new) for place in places]
        if not re.search(
            rf"\b{old}s?['’-]|\brace {old}|\b{old} (?:driver|stations?|shop|maker|company|race|industry|\$|[A-Z]\b)",
            text,
            re.IGNORECASE,
        ):
            found.append(Restatement(tuple(zip(places, after, strict=True)), old, new, "what is drawn"))
    return found


def _thing_pattern(old: str, language: Language) -> str:
    return old if language is Language.CHINESE else rf"\b(?:[Aa]n? )?(?:{old}|{old.capitalize()})(?:s|es)?\b"


def _is_long(text: str) -> bool:
    """In a long text a word has other duties than to describe the picture."""
    return len(text.split()) > _LONGEST_TEXT or len(text) > 1200


def _like(written: str, old: str, new: str) -> str:
    """The new word with the article, number and capital letter of the old one."""
    article, noun = ("", written) if " " not in written else written.split(" ", 1)
    made = new if noun.lower() == old else new + ("es" if new.endswith("us") else "s")
    made = _in_case(noun, made.replace("cactuses", "cacti").replace("fishs", "fish"))
    return f"{_article(article, made)}{made}" if article else made


def _article(old: str, word: str) -> str:
    right = "an " if word[0].lower() in "aeiou" else "a "
    return right.capitalize() if old[0].isupper() else right


def _in_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def swapped_counts(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """How many things of a kind the picture shows becomes another number, wherever the text counts them."""
    if _is_long(text):
        return []
    if language is Language.CHINESE:
        return _chinese_counts(text, shown, stream)
    plain = prose(text)
    found: list[Restatement] = []
    counts = list(_COUNTED.finditer(plain))
    for match in counts:
        noun = match["noun"].lower()
        if _is_bound(text, noun):
            continue
        if _NOT_COUNTED.search(noun) or not _inside(shown, Span(*match.span())) or _is_listed(text, match):
            continue
        same = [one for one in counts if one["noun"].lower() == noun]
        number = match["number"].lower()
        if any(one["number"].lower() != number for one in same) or match is not same[0]:
            continue
        new = _other_count(number, stream)
        places = tuple((Span(*one.span("number")), _in_case(one["number"], new)) for one in same)
        found.append(
            Restatement(places, f"{number} {match['things']}", f"{new} {match['things']}", "how many there are")
        )
    return found


def _chinese_counts(text: str, shown: list[Span], stream: random.Random) -> list[Restatement]:
    found: list[Restatement] = []
    counts = list(_CHINESE_COUNTED.finditer(text))
    for match in counts:
        same = [one for one in counts if one["noun"] == match["noun"]]
        listed = re.search(r"[A-Z甲乙丙丁](?:、|和|与)[A-Z甲乙丙丁]", text)
        several_labels = len(set(re.findall(r"(?<![A-Za-z])[A-E](?![A-Za-z])", text))) > 2
        is_bound = several_labels or (match["number"] == "两" and text.count(match["noun"][1:]) > 1)
        if len(same) == 1 and not listed and not is_bound and _inside(shown, Span(*match.span())):
            old, numbers = match["number"], "两三四五六七八九十"
            new = numbers[numbers.index(old) + stream.choice((1, 2))]
            place = Span(*match.span("number"))
            found.append(
                Restatement(((place, new),), f"{old}{match['noun']}", f"{new}{match['noun']}", "how many there are")
            )
    return found


_CHINESE_COUNTED = re.compile(
    r"(?<![第一-九十之每])(?P<number>[两三四五六七八])(?P<noun>[个条只块张棵盏座根](?!人|月|小时|数|不同|过程|阶段|问题|条件)[\u4e00-\u9fff]{2})(?=[，。、；：的在是和与（(]|$)"
)
_GRID = re.compile(
    r"(?P<rows>\d+)(?P<by>\s*\\times\s*|-by-|\s?[x×]\s?)(?P<columns>\d+)(?P<end>\s*\$?(?:-|\s)(?:grid|board|tile))"
)


def swapped_grid(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """The size of a grid that is drawn."""
    matches = list(_GRID.finditer(text))
    if len(matches) != 1 or not _inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    rows, columns = int(match["rows"]), int(match["columns"])
    if re.search(rf"(?<!\d){rows * columns}(?!\d)", text):
        return []
    new = str(stream.choice([number for number in (rows + 1, rows + 2, rows + 3) if number != columns]))
    place = Span(match.start("rows"), match.end("rows"))
    return [Restatement(((place, new),), f"{rows} by {columns}", f"{new} by {columns}", "the size of the grid")]


_LETTER_SHAPE = re.compile(r"\$?(?P<letter>[TLSUF])\$?-shaped")


def swapped_letter_shape(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """`T-shaped` pieces that are drawn."""
    matches = list(_LETTER_SHAPE.finditer(text))
    if len(matches) != 1 or not _inside(shown, Span(*matches[0].span())):
        return []
    old = matches[0]["letter"]
    new = "L" if old != "L" else "T"
    place = Span(*matches[0].span("letter"))
    return [Restatement(((place, new),), f"{old}-shaped", f"{new}-shaped", "the form of the pieces")]


def _is_bound(text: str, noun: str) -> bool:
    """The number follows from other words: corners of a square, `a blue cart and a red cart`, `the fourth child`."""
    if re.search(r"\b(?:corner|vert(?:ex|ices)|edge)|\b(?:a|the) square\b", text):
        return True
    one = "child" if noun == "children" else re.sub("s$", "", noun)
    return bool(
        re.search(rf"\ban? \w+ {one} and an? |\b(?:first|second|third|fourth|fifth|sixth) {one}\b", text, re.IGNORECASE)
    )


def _is_listed(text: str, match: re.Match[str]) -> bool:
    """The things are named one by one, or the number is bound to others: another number would make the text odd by itself."""
    after = text[match.end() : match.end() + 60]
    before = text[max(0, match.start() - 25) : match.start()]
    sentence_labels = re.search(
        r"\$?[A-Z]\$? and \$?[A-Z]\b|\(a\) and \(b\)|\$\\?[a-zA-Z]*\{?[A-Z]\}?, ?\\?[a-zA-Z]*\{?[A-Z]\b", text
    )
    listed = sentence_labels or re.match(
        r"\s*(?:at points |with |labelled |labeled |numbered )?\$?\\?[A-Z\d{]|\s*\$\d|[^.]{0,40}:|\s+[A-Z]\b|\s+(?:are|with|wear)\s+(?:labelled|labeled|numbers)",
        after,
    )
    return bool(listed) or bool(
        re.search(
            r"(?:out of|(?:\d|two|three|four|one|some|many|most|all) of|than|exactly|least|most|every|other|these|the last|the next|into|[×x*+=\-/]|each|first|between|any|combining the|in)\s*(?:the\s)?$",
            before,
        )
    )


def _other_count(number: str, stream: random.Random) -> str:
    step = stream.choice((1, 2, 3))
    if number.isdigit():
        return str(int(number) + step)
    position = _NUMBERS.index(number)
    return _NUMBERS[min(position + step, len(_NUMBERS) - 1) if position + 1 < len(_NUMBERS) else position - step]


_MIDPOINT = re.compile(
    r"(?P<point>\$?[A-Z]\$?)(?P<verb>是|为| is the midpoint of (?:side |line segment |segment )?)(?P<open>\$?(?:\\overline\{)?)(?P<a>[A-Z])(?P<gap>\s?)(?P<b>[A-Z])(?P<close>\}?\$?)(?P<tail>的中点)?"
)
_EQUAL_SIDES = re.compile(
    r"(?<![A-Za-z])(?P<a>[A-Z])(?P<gap>\s?)(?P<b>[A-Z])\s?[=＝]\s?(?P<c>[A-Z])\s?(?P<d>[A-Z])(?![A-Za-z])"
)
_ANGLE = re.compile(
    r"(?P<name>∠[A-Z]{1,3}|\\angle\s?(?:[A-Z]\s?){1,3}|angle \$?(?:[A-Z]\s?){3}|\\theta)\s?[=＝]\s?(?P<value>\d{2,3})(?P<unit>\s?°|\s?\^\s?\{?\s?\\circ\s?\}?)"
)
_RELATION = re.compile(r"is (?P<old>parallel|perpendicular) to|(?P<sign>⊥|∥|//)")


def swapped_geometry(text: str, shown: list[Span], language: Language, stream: random.Random) -> list[Restatement]:
    """A relation of labelled points or lines: midpoint of which side, parallel or perpendicular, a sharp or a blunt angle."""
    return [
        *_other_midpoint(text, shown),
        *_other_relation(text, shown),
        *_other_angle(text, shown, stream),
        *_other_equal_sides(text, shown),
    ]


def _other_midpoint(text: str, shown: list[Span]) -> list[Restatement]:
    found: list[Restatement] = []
    for match in _MIDPOINT.finditer(text):
        polygon = _polygon_with(text, match["a"], match["b"])
        if not polygon or (match["verb"] in "是为") != bool(match["tail"]):
            continue
        third = next(one for one in polygon if one not in (match["a"], match["b"]))
        place = Span(match.start("b"), match.end("b"))
        sides = match["a"] + match["b"], match["a"] + third
        if _inside(shown, Span(*match.span())) and len(re.findall("midpoint|中点", text)) == 1:
            found.append(
                Restatement(
                    ((place, third),),
                    f"the midpoint of {sides[0]}",
                    f"the midpoint of {sides[1]}",
                    "where a point lies",
                )
            )
    return found


def _polygon_with(text: str, first: str, second: str) -> str | None:
    """A polygon of the text that has the two points as neighbours, so that another of its sides can take the place."""
    joined = re.sub(r"(?<=[A-Z])\s(?=[A-Z](?![a-z]))", "", text)
    for name in re.findall(
        r"(?:△|\\triangle\s?|[Tt]riangle \$?|[Ss]quare \$?|[Rr]ectangle \$?|三角形|正方形|矩形|四边形|(?<=在)(?:Rt△)?)([A-Z]{3,4})",
        joined,
    ):
        ring = name + name[0]
        if first + second in ring or second + first in ring:
            return name
    return None


def _other_relation(text: str, shown: list[Span]) -> list[Restatement]:
    matches = list(_RELATION.finditer(text))
    if len(matches) != 1 or not _inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    if match["old"]:
        new = "perpendicular" if match["old"] == "parallel" else "parallel"
        return [
            Restatement(((Span(match.start("old"), match.end("old")), new),), match["old"], new, "how two lines lie")
        ]
    new = "∥" if match["sign"] == "⊥" else "⊥"
    if (
        "http" in text
        or not re.search(r"[A-Z]\s?$", text[: match.start()])
        or not re.match(r"\s?[A-Z]", text[match.end() :])
    ):
        return []
    return [Restatement(((Span(*match.span()), new),), match["sign"], new, "how two lines lie")]


def _other_angle(text: str, shown: list[Span], stream: random.Random) -> list[Restatement]:
    """A clearly sharp angle becomes a blunt one, or the other way round; only where no other angle is given."""
    matches = list(_ANGLE.finditer(text))
    degrees = re.findall(r"\d\s?(?:°|\^\s?\{?\s?\\circ|degrees)", text)
    if len(matches) != 1 or len(degrees) != 1 or re.search(r"equilateral|等边|Rt|直角|right triangle|内接", text):
        return []
    match = matches[0]
    value = int(match["value"])
    vertex = re.sub(r"\\angle|angle|[∠$\s]", "", match["name"])
    equal = _EQUAL_SIDES.search(text)
    if equal and "".join(sorted({equal["a"], equal["b"]} & {equal["c"], equal["d"]})) != vertex[len(vertex) // 2 :][:1]:
        return []
    if not _inside(shown, Span(*match.span())) or not (20 <= value <= 70 or 110 <= value <= 160):
        return []
    new = str(
        180 - value - stream.choice((0, 5, 10)) if value < 90 else max(20, 180 - value - stream.choice((0, 5, 10)))
    )
    return [
        Restatement(
            ((Span(match.start("value"), match.end("value")), new),),
            f"{value} degrees",
            f"{new} degrees",
            "whether an angle is sharp or blunt",
        )
    ]


def _other_equal_sides(text: str, shown: list[Span]) -> list[Restatement]:
    """`AB = AC` becomes `AB = BC` in a triangle ABC: the picture shows which two sides are alike."""
    matches = [one for one in _EQUAL_SIDES.finditer(text) if len({one["a"], one["b"], one["c"], one["d"]}) == 3]
    if len(matches) != 1 or not _inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    common = next((one for one in (match["c"], match["d"]) if one in (match["a"], match["b"])), "")
    polygon = _polygon_with(text, match["a"], match["b"])
    if not common or not polygon or len(polygon) != 3 or not {match["c"], match["d"]} <= set(polygon):
        return []
    other = match["b"] if common == match["a"] else match["a"]
    place = Span(match.start("c" if match["c"] == common else "d"), match.end("c" if match["c"] == common else "d"))
    sides = match["a"] + match["b"], match["c"] + match["d"]
    return [
        Restatement(
            ((place, other),),
            f"{sides[0]} = {sides[1]}",
            f"{sides[0]} = {sides[1].replace(common, other)}",
            "which sides are equal",
        )
    ]


FINDERS: tuple[Finder, ...] = (
    swapped_colours,
    swapped_words,
    swapped_things,
    swapped_counts,
    swapped_geometry,
    swapped_grid,
    swapped_letter_shape,
)
