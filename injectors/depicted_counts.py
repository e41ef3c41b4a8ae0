"""How many things a text says its picture shows, how large a grid, and of which form the pieces."""

import random
import re

from core.records import Language
from injectors.content_words import content_words
from injectors.depictions import Description, Restatement, in_case, inside, is_long
from injectors.passages import Span, prose, sentences

_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

_COUNTED = re.compile(
    rf"(?<![\w.])(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}}) (?P<things>(?:(?!of\b|mol\b|units?\b|percent\b"
    rf"|cent)[a-z]{{3,}} ){{0,2}}?(?P<noun>[a-z]{{3,}}(?:s|ren|dice|mice)|dice))\b(?! of (?!the same|equal|radius"
    rf"|different))",
    re.IGNORECASE,
)

_NOT_COUNTED = re.compile(
    r"(?:times|hours|minutes|seconds|days|weeks|years|months|meters|metres|inches|feet|miles|degrees|dollars|cents"
    r"|euros|units|options|ways|operations"
    r"|moves|digits|steps|percent|halves|sides|others|points|positions|is|was|this|letters|decimals|places|numbers"
    r"|answers|pieces|trips|thirds|vertices|players|persons|parts|versions|experiments|machines|groups|samples|sets"
    r"|cases|types|kinds|colors|colours|results|pages|functions)$"
)

_CHINESE_COUNTED = re.compile(
    r"(?<![第一-九十之每])(?P<number>[两三四五六七八])(?P<noun>[个条只块张棵盏座根](?!人|月|小时|数|不同|过程|阶段|问题"
    r"|条件)[\u4e00-\u9fff]{2})(?=[，。、；：的在是和与（(]|$)"
)

_HOW_MANY = re.compile(
    r"\bhow many (?:(?!of\b|do\b|does\b|are\b|did\b)[a-z]+\s?){1,4}|\bnumber of [a-z ]+"
    r"|[\u4e00-\u9fff]*(?:多少|几)[个条只块张棵盏座根][\u4e00-\u9fff]*",
    re.IGNORECASE,
)

_GRID = re.compile(
    r"(?P<rows>\d+)(?P<by>\s*\\times\s*|-by-|\s?[x×]\s?)(?P<columns>\d+)(?P<end>\s*\$?(?:-|\s)(?:grid|board|tile))"
)

# "T-shaped pieces (shown below) are put into a 6 x 6 grid": the picture shows the pieces.
_POINTS_AT_OTHER = re.compile(r"\((?:as )?(?:shown|see)[^()]*\)[^.]*$")

_LETTER_SHAPE = re.compile(r"\$?(?P<letter>[TLSUF])\$?-shaped")


def swapped_counts(description: Description, stream: random.Random) -> list[Restatement]:
    """How many things of a kind the picture shows becomes another number, wherever the text counts them, when a number
    is asked for that depends on it."""
    text, shown = description.text, description.shown
    if is_long(text) or not _HOW_MANY.search(description.request):
        return []
    if description.language is Language.CHINESE:
        return [one for one in _chinese_counts(text, shown, stream) if _is_asked(description, one.before[2:])]
    plain = prose(text)
    found: list[Restatement] = []
    counts = list(_COUNTED.finditer(plain))
    for match in counts:
        noun = match["noun"].lower()
        if _is_bound(text, noun) or not _is_asked(description, noun):
            continue
        if _NOT_COUNTED.search(noun) or not inside(shown, Span(*match.span())) or _is_listed(text, match):
            continue
        same = [one for one in counts if one["noun"].lower() == noun]
        number = match["number"].lower()
        if any(one["number"].lower() != number for one in same) or match is not same[0]:
            continue
        new = _other_count(number, stream)
        places = tuple((Span(*one.span("number")), in_case(one["number"], new)) for one in same)
        things = match["things"]
        found.append(Restatement(places, f"{number} {things}", f"{new} {things}", f"how many {things} there are"))
    return found


def _is_asked(description: Description, noun: str) -> bool:
    """The things are counted in the request, or a premise ties what the request counts to them: `each city is joined to
    every other city by a road`, and roads are asked for."""
    things = content_words(noun, description.language)
    counted = _HOW_MANY.search(description.request)
    asked = content_words(counted[0], description.language) if counted else set[str]()
    if things & asked:
        return True
    words = (content_words(one.of(description.text), description.language) for one in _tying(description, noun))
    return any(things & one and asked & one for one in words)


def _tying(description: Description, noun: str) -> list[Span]:
    """Premises that say something of each or every thing of this name."""
    told = [one for one in sentences(description.text) if one.end <= description.request_start]
    one = re.escape(re.sub("(?:ie)?s$", "", noun))
    each = re.compile(rf"\b(?:each|every|all|any)\s(?:of\s)?(?:the\s)?(?:\w+\s)?{one}|每", re.IGNORECASE)
    return [span for span in told if each.search(span.of(description.text))]


def _is_bound(text: str, noun: str) -> bool:
    """The number follows from other words: corners of a square, `a blue cart and a red cart`, `the fourth child`."""
    if re.search(r"\b(?:corner|vert(?:ex|ices)|edge)|\b(?:a|the) square\b", text):
        return True
    one = "child" if noun == "children" else re.sub("s$", "", noun)
    return bool(
        re.search(rf"\ban? \w+ {one} and an? |\b(?:first|second|third|fourth|fifth|sixth) {one}\b", text, re.IGNORECASE)
    )


def _is_listed(text: str, match: re.Match[str]) -> bool:
    """The things are named one by one, or the number is bound to others: another number would make the text odd by
    itself."""
    after = text[match.end() : match.end() + 60]
    before = text[max(0, match.start() - 25) : match.start()]
    sentence_labels = re.search(
        r"\$?[A-Z]\$? and \$?[A-Z]\b|\(a\) and \(b\)|\$\\?[a-zA-Z]*\{?[A-Z]\}?, ?\\?[a-zA-Z]*\{?[A-Z]\b", text
    )
    listed = sentence_labels or re.match(
        r"\s*(?:at points |with |labelled |labeled |numbered )?\$?\\?[A-Z\d{]|\s*\$\d|[^.]{0,40}:|\s+[A-Z]\b"
        r"|\s+(?:are|with|wear)\s+(?:labelled|labeled|numbers)",
        after,
    )
    return bool(listed) or bool(
        re.search(
            r"(?:out of|(?:\d|two|three|four|one|some|many|most|all) of|than|exactly|least|most|every|other|these"
            r"|the last|the next|into|[×x*+=\-/]|each|first|between|any|combining the|in)\s*(?:the\s)?$",
            before,
        )
    )


def _other_count(number: str, stream: random.Random) -> str:
    step = stream.choice((1, 2, 3))
    if number.isdigit():
        return str(int(number) + step)
    position = _NUMBERS.index(number)
    return _NUMBERS[min(position + step, len(_NUMBERS) - 1) if position + 1 < len(_NUMBERS) else position - step]


def _chinese_counts(text: str, shown: list[Span], stream: random.Random) -> list[Restatement]:
    found: list[Restatement] = []
    counts = list(_CHINESE_COUNTED.finditer(text))
    for match in counts:
        same = [one for one in counts if one["noun"] == match["noun"]]
        listed = re.search(r"[A-Z甲乙丙丁](?:、|和|与)[A-Z甲乙丙丁]", text)
        several_labels = len(set(re.findall(r"(?<![A-Za-z])[A-E](?![A-Za-z])", text))) > 2
        is_bound = several_labels or (match["number"] == "两" and text.count(match["noun"][1:]) > 1)
        if len(same) == 1 and not listed and not is_bound and inside(shown, Span(*match.span())):
            old, numbers = match["number"], "两三四五六七八九十"
            new = numbers[numbers.index(old) + stream.choice((1, 2))]
            place = Span(*match.span("number"))
            found.append(
                Restatement(
                    ((place, new),),
                    f"{old}{match['noun']}",
                    f"{new}{match['noun']}",
                    f"how many of them ({match['noun'][1:]}) there are",
                )
            )
    return found


def swapped_grid(description: Description, stream: random.Random) -> list[Restatement]:
    """The size of a grid that is drawn."""
    text, shown = description.text, description.shown
    matches = list(_GRID.finditer(text))
    if len(matches) != 1 or not inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    if _POINTS_AT_OTHER.search(text[: match.start()]):
        return []
    rows, columns = int(match["rows"]), int(match["columns"])
    if re.search(rf"(?<!\d){rows * columns}(?!\d)", text):
        return []
    new = str(stream.choice([number for number in (rows + 1, rows + 2, rows + 3) if number != columns]))
    place = Span(match.start("rows"), match.end("rows"))
    return [Restatement(((place, new),), f"{rows} by {columns}", f"{new} by {columns}", "the size of the grid")]


def swapped_letter_shape(description: Description, stream: random.Random) -> list[Restatement]:
    """`T-shaped` pieces that are drawn."""
    text, shown = description.text, description.shown
    matches = list(_LETTER_SHAPE.finditer(text))
    if len(matches) != 1 or not inside(shown, Span(*matches[0].span())):
        return []
    old = matches[0]["letter"]
    new = "L" if old != "L" else "T"
    place = Span(*matches[0].span("letter"))
    return [Restatement(((place, new),), f"{old}-shaped", f"{new}-shaped", "the form of the pieces")]
