"""Named things in a request that can be named vaguely: a label among others of its kind, a part of a drawing, one of two
things of a kind, one of two names. A finder only answers when at least two candidates for the vague word are in the text."""

import re
from collections.abc import Callable
from typing import NamedTuple

from core.records import Language
from injectors.passages import Span, formulas
from injectors.wordlists import word_list

LABEL = r"(?:\$\s*(?:\\(?:mathrm|text|mathbf)\s*\{\s*)?[A-Z](?:_\{?\w\}?)?'?(?:\s*\})?\s*\$|\\\(\s*[A-Z]\s*\\\)|[A-Z]\d?(?![\w'’])|[IVX]{1,4}(?!\w)|\d(?![\w.,]\d|\d|\s?[%°]))"
_LABELLED_NOUNS = (
    "microphone|station|car|machine|project|position|town|village|city|resistor|capacitor|block|ball|particle|medium|region|rectangle|square"
    "|circle|box|bag|container|tank|rod|bar|bulb|lamp|switch|object|charge|wire|planet|star|satellite|plane|ship|person|student|player|team"
    "|company|firm|country|product|plan|option|group|sample|solution|beaker|compound|reaction|gene|cell|species|organism|graph|curve|layer|lens"
    "|mirror|mass|node|table|stage|phase|section|zone|area|island|road|route|house|room|building|plot|city|experiment|pulley|spring|cube|tower"
    "|material|disk|point|vertex|piece|figure|store|shop|worker|bank|bond|stock|fund|item|element|process|thread|register|gate|router|host|server"
)
_CONTRASTS = (
    ("first", "second", "third", "fourth"), ("left", "right"), ("left-hand", "right-hand"), ("upper", "lower"), ("top", "bottom"),
    ("red", "blue", "green", "yellow", "black", "white", "grey", "gray", "brown", "orange", "purple", "pink"),
    ("small", "large", "big"), ("smaller", "larger", "bigger"), ("inner", "outer"), ("long", "short"), ("longer", "shorter"),
    ("hot", "cold"), ("light", "heavy"), ("lighter", "heavier"), ("faster", "slower"), ("old", "new"), ("older", "younger"), ("northern", "southern"),
    ("eastern", "western"), ("thick", "thin"), ("solid", "dashed", "dotted"), ("shaded", "unshaded", "white"), ("front", "rear", "back"),
)  # fmt: skip
_SHADED = re.compile(
    r"\b[Tt]he (?P<kind>shaded|unshaded|grey|gray|coloured|colored|black|white|dark|dotted|hatched) (?P<noun>region|area|part|portion|section|surface)\b"
)
_SYMBOL_NOUNS = {
    "R": "resistance", "m": "mass", "M": "mass", "v": "velocity", "V": "voltage", "q": "charge", "Q": "charge", "F": "force", "T": "temperature",
    "P": "pressure", "p": "pressure", "I": "current", "C": "capacitance", "L": "length", "A": "area", "x": "coordinate", "r": "radius", "d": "distance",
    "a": "acceleration", "h": "height",
}  # fmt: skip


class Referent(NamedTuple):
    """`place` is where the name stands in the query, `vague` what takes its place, `candidates` what that can mean: the
    first is the one that was named. `keeps_options`: the options fit every candidate."""

    place: Span
    vague: str
    candidates: tuple[str, ...]
    keeps_options: bool = False


class Request(NamedTuple):
    """A query, where its request begins, and all text that stands before the request."""

    query: str
    start: int
    before: str

    @property
    def goal(self) -> str:
        return self.query[self.start :]

    def place(self, start: int, end: int) -> Span:
        """A place in the request as a place in the query."""
        return Span(self.start + start, self.start + end)


Finder = Callable[[Request], list[Referent]]


def bare(label: str) -> str:
    """A label without its formula marks."""
    return re.sub(r"\\mathrm|\\text|\\mathbf|\\overline|\\angle|\\[()]|[$\s{}]", "", label)


def plural(noun: str) -> str:
    irregular = {
        "city": "cities",
        "country": "countries",
        "body": "bodies",
        "vertex": "vertices",
        "box": "boxes",
        "bus": "buses",
        "lens": "lenses",
    }
    regular = re.sub("y$", "ie", noun) if re.search("[^aeiou]y$", noun) else noun
    return irregular.get(
        noun, noun if noun == "species" else f"{regular}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
    )


def labelled(request: Request) -> list[Referent]:
    """`microphone $B$` where the text has more microphones."""
    found: list[Referent] = []
    for match in re.finditer(
        rf"\b(?P<article>[Tt]he\s+)?(?P<noun>{_LABELLED_NOUNS})\s+(?P<label>{LABEL})", request.goal
    ):
        noun, label = match["noun"], bare(match["label"])
        elsewhere = [*_labels_of(noun, request.before), *_labels_of(noun, request.goal)]
        in_goal = _labels_in(request.goal)
        if label.isdigit() and re.search(rf"\b{plural(noun)}\b", request.before):
            elsewhere += re.findall(r"[a-z]_\{?(\d)", request.before)
        others = [other for other in dict.fromkeys(elsewhere) if other != label and other not in in_goal]
        if others and in_goal.count(label) == 1 and not re.search(r"=\s*$", request.goal[: match.start()]):
            names = tuple(f"{noun} {name}" for name in (label, *others))
            found.append(Referent(request.place(match.start(), match.end()), f"one of the {plural(noun)}", names))
    return found


def _labels_of(noun: str, text: str) -> list[str]:
    labels: list[str] = []
    for match in re.finditer(
        rf"\b(?:{noun}|{plural(noun)})\s+(?P<labels>{LABEL}(?:(?:\s*,\s*|\s*(?:,\s*)?(?:and|or|to)\s+){LABEL})*|\$[^$]*\$(?:\s+and\s+{LABEL})?)",
        text,
        re.IGNORECASE,
    ):
        labels += _labels_in(match["labels"])
    roman = re.search(r"\b(?:I|1) to \$?\\?(?:mathrm)?\{?(?:[IVX]+|\d)", text)
    return labels if not (roman and labels) else [*labels, "II" if "I" in labels else "2"]


def _labels_in(text: str) -> list[str]:
    return re.findall(
        r"(?<![A-Za-z\\])(?:[A-Z]\d?|[IVX]{2,4}|\d)(?![A-Za-z\d.])", re.sub(r"\\[A-Za-z]+|<image \d+>|[{}]", " ", text)
    )


def shaded(request: Request) -> list[Referent]:
    """`the shaded region`: what is not shaded is a region too."""
    found = list(_SHADED.finditer(request.goal))
    if len(found) != 1 or re.search(found[0]["kind"], request.before, re.IGNORECASE):
        return []
    match = found[0]
    article = "The" if match[0][0] == "T" else "the"
    names = (match[0].lower(), f"the {match['noun']} that is not {match['kind'].removeprefix('un')}")
    return [Referent(request.place(*match.span()), f"{article} {match['noun']}", names)]


def contrasted(request: Request) -> list[Referent]:
    """`the second table`, `brown eggs`: the same noun stands elsewhere with a contrasting word."""
    found: list[Referent] = []
    for words in _CONTRASTS:
        alternatives = "|".join(words)
        for match in re.finditer(
            rf"\b(?P<article>[Tt]he\s+)?(?P<word>{alternatives})\s+(?P<noun>[a-z]{{3,}})\b(?!\s+(?:of|that|which|who|whose|with)\b)",
            request.goal,
        ):
            noun = match["noun"]
            stem = re.sub("s$", "", noun)
            others = [
                other[1]
                for other in re.finditer(
                    rf"\b({alternatives})(?:\s+and\s+(?:the\s+)?(?:{alternatives}))?\s+{stem}s?\b",
                    request.before,
                    re.IGNORECASE,
                )
            ]
            others = [other.lower() for other in dict.fromkeys(others) if other.lower() != match["word"]]
            again = len(re.findall(rf"\b(?:{alternatives})\b", request.goal))
            if others and again == 1 and noun not in _NO_NOUNS:
                names = tuple(f"{word} {noun}" for word in (match["word"], *others))
                is_plural = noun.endswith("s") and not noun.endswith("ss")
                capital = (match["article"] or "").startswith("T")
                vague = f"{noun} of one kind" if is_plural else f"{'The' if capital else 'the'} {noun}"
                found.append(Referent(request.place(*match.span()), vague, names))
    return found


_NO_NOUNS = {"side", "and", "derivative", "order", "law", "place", "digit", "digits", "term", "hand"}


def of_a_kind(request: Request) -> list[Referent]:
    """`the block` where the text has a ball as well: both are objects."""
    found: list[Referent] = []
    for kind in word_list("kinds")["en"]:
        members = {form: singular for singular, form in _forms(kind["members"])}
        alternatives = "|".join(sorted(members, key=len, reverse=True))
        in_goal = list(re.finditer(rf"\b(?:{alternatives})\b", request.goal))
        if len(in_goal) != 1:
            continue
        named = members[in_goal[0][0]]
        before = re.search(r"\b(?:the|this)\s+(?:(?!same|whole)[a-z]+\s+)?$", request.goal[: in_goal[0].start()])
        is_plural = in_goal[0][0] != named
        after = request.goal[in_goal[0].end() :]
        if (
            not before
            or is_plural
            or re.match(rf"\s+(?:{LABEL}|[a-z]+(?:er|or)\b|of\b|with\b|in\b|at\b|on\b|that\b|is called)|[-'’]", after)
        ):
            continue
        others = [
            members[other[1]]
            for other in re.finditer(
                rf"\b(?:[Aa]n?|[Tt]he|[Tt]his|[Tt]wo|[Tt]hree|each|one|and|another)\s+(?:(?!{alternatives})\w+\s+){{0,2}}?({alternatives})\b(?!\s+(?:of paper|root|meters?|feet|number|units?))",
                request.before,
            )
        ]
        others = [other for other in dict.fromkeys(others) if other != named]
        if others:
            place = request.place(before.start(), in_goal[0].end())
            found.append(Referent(place, f"the {kind['vague']}", tuple(f"the {name}" for name in (named, *others))))
    return found


def _forms(members: list[str]) -> list[tuple[str, str]]:
    forms: list[tuple[str, str]] = []
    for member in members:
        singular, _, plural = member.partition("/")
        forms += [(singular, singular), (singular, plural or f"{singular}s")]
    return forms


def geometric(request: Request) -> list[Referent]:
    """`the length of $AE$`, `angle $VWY$`: a figure with more segments or angles than that."""
    segment = r"\$\s*(?:\\overline\s*\{?)?\s*[A-Z]\s?[A-Z]\s*\}?\s*\$|(?<![A-Za-z$∠\\])[A-Z]{2}(?![A-Za-z$])"
    angle = (
        r"\$\s*\\angle\s*(?:[A-Z](?:_\{?\d\}?)?\s?){1,3}\$|∠\s?[A-Z]{1,3}|angle\s+(?:\$\s*(?:[A-Z]\s?){3}\$|[A-Z]{3})"
    )
    found: list[Referent] = []
    for pattern, lead, noun in (
        (
            segment,
            r"(?:length of |[Ff]ind |[Dd]etermine |[Cc]ompute |[Cc]alculate |the value of |long is |size of )(?:the )?(?:line segment |segment |line |side |chord )?",
            "segment",
        ),
        (
            angle,
            r"(?:[Ff]ind |[Dd]etermine |measure of |size of |value of |angle of |degree measure of )(?:the )?",
            "angle",
        ),
    ):
        match = re.search(rf"(?P<lead>{lead})(?P<name>{pattern})", request.goal)
        if not match or not _is_alone(request.goal, match.end("name")) or len(_names_in(request.goal)) != 1:
            continue
        others = _others(request.before, bare(match["name"]).removeprefix("∠").removeprefix("angle"), noun)
        if len(others) >= 1 and (
            words := re.search(r"(?:the )?(?:line segment |segment |line |side |chord )?$", match["lead"])
        ):
            place = request.place(match.start("name") - len(words[0]), match.end("name"))
            bare_find = noun == "segment" and not re.search(r"(?:of|is)\s$", match["lead"].removesuffix(words[0]))
            names = (
                f"{noun} {bare(match['name']).removeprefix('∠').removeprefix('angle')}",
                *(f"{noun} {name}" for name in others),
            )
            found.append(Referent(place, f"{'the length of ' if bare_find else ''}one of the {noun}s", names))
    return found


def _is_alone(goal: str, end: int) -> bool:
    return not re.match(r"\s*(?:[-+=<>/^]|and\b|\\)", goal[end:])


def _names_in(text: str) -> list[str]:
    """Runs of one to four capital letters in formulas or standing alone, as geometry names points by them."""
    joined = re.sub(r"(?<=[A-Z])\s(?=[A-Z](?![a-z]))", "", re.sub(r"\\[A-Za-z]+|<image \d+>|[{}]|_\d", " ", text))
    return re.findall(r"(?<![A-Za-z])[A-Z]{1,5}(?![A-Za-z])", joined)


def _others(before: str, name: str, noun: str) -> list[str]:
    """Other segments (two letters) or angles (three) that the text names, or that a named polygon has."""
    size = 2 if noun == "segment" else 3
    names = _names_in(before)
    same = [other for other in names if len(other) == size and set(other) != set(name)]
    if size == 2:
        polygons = [other for other in names if len(other) in (3, 4)]
        same += [polygon[:2] for polygon in polygons if set(polygon[:2]) != set(name)]
        same += [polygon[1:3] for polygon in polygons if set(polygon[1:3]) != set(name)]
    else:
        same += [
            other for other in re.findall(r"(?:∠|\\angle\s?)([A-Z])(?![A-Z\s]*[A-Z])", before) if other not in name
        ]
    return list(dict.fromkeys(same))[:4]


def subscripted(request: Request) -> list[Referent]:
    """`$R_L$` where the text has `$R_1$` as well."""
    symbol = r"([A-Za-z])_\{?([A-Za-z0-9]+)\}?"
    found: list[Referent] = []
    for span in formulas(request.goal):
        match = re.fullmatch(rf"\$\s*{symbol}\s*\$|\\\(\s*{symbol}\s*\\\)", span.of(request.goal))
        if not match:
            continue
        base, index = (match[1], match[2]) if match[1] else (match[3], match[4])
        in_goal = re.findall(rf"(?<![A-Za-z\\]){base}_\{{?([A-Za-z0-9]+)\}}?", request.goal)
        others = [
            other
            for other in dict.fromkeys(re.findall(rf"(?<![A-Za-z\\]){base}_\{{?([A-Za-z0-9]+)\}}?", request.before))
            if other != index
        ]
        lead = request.goal[: span.start]
        noun = _noun_for(base, lead)
        if (
            len(in_goal) == 1
            and len(others) >= 1
            and noun
            and re.search(r"\b(?:of|across|through|find|determine|compute|calculate|in|is|for)\s$", lead, re.IGNORECASE)
        ):
            names = tuple(f"{base}_{name}" for name in (index, *others))
            found.append(Referent(request.place(*span), f"one of the {plural(noun)}", names))
    return found


def _noun_for(base: str, lead: str) -> str | None:
    if base == "R" and re.search(r"(?:across|through|in)\s$", lead):
        return "resistor"
    return _SYMBOL_NOUNS.get(base)


def unknown_letter(request: Request) -> list[Referent]:
    """`the value of $b$` where the text has more letters whose value is open."""
    match = re.search(
        r"(?P<lead>\bvalues? of\s+)(?P<symbol>\$\s*(?P<letter>[a-z])\s*\$|(?<!\$)\b(?P<plain>[a-z])\b(?=\s*[?.,]))",
        request.goal,
    )
    if not match or len(re.findall(r"\$", request.goal)) > 2:
        return []
    letter = match["letter"] or match["plain"]
    text = " ".join(span.of(request.before) for span in formulas(request.before))
    letters = re.findall(
        r"(?<![A-Za-z\\])[a-z](?![A-Za-z(])",
        re.sub(r"\\(?:mathrm|text|operatorname)\s*\{[^{}]*\}|\\[A-Za-z]+", " ", text),
    )
    given = re.findall(r"(?<![A-Za-z\\])([a-z])\s*=\s*\d", text)
    letters += re.findall(r"\$([A-Z])\$", request.before)
    others = [other for other in dict.fromkeys(letters) if other not in (letter, *given)]
    if len(others) < (1 if letter in letters else 2):
        return []
    names = tuple(f"the letter {name}" for name in (letter, *others[:4]))
    return [Referent(request.place(match.start("symbol"), match.end("symbol")), "one of the letters", names)]


def one_of_two_names(request: Request) -> list[Referent]:
    """`Amrita` where the text speaks of Amrita and Zhang."""
    name = r"[A-Z][a-z]{2,}"
    text = f"{request.before}\n{request.goal}"
    found: list[Referent] = []
    for pair in re.finditer(
        rf"(?<![A-Za-z] )({name})(?:,\s+({name}))?\s+and\s+({name})\b(?!\s+[A-Z])|(?<=[a-z] )({name})\s+and\s+({name})\b(?!\s+[A-Z])",
        request.before,
    ):
        names = [one for one in pair.groups() if one]
        in_goal = [one for one in names if re.search(rf"\b{one}\b", request.goal)]
        if (
            len(in_goal) != 1
            or len(re.findall(rf"\b{in_goal[0]}\b", request.goal)) != 1
            or any(one in _NO_NAMES for one in names)
        ):
            continue
        match = re.search(rf"\b{in_goal[0]}\b(?!['’]s|\s+[A-Z])", request.goal)
        if match and all(len(re.findall(rf"\b{one}\b", text)) >= 2 for one in in_goal):
            order = (in_goal[0], *(one for one in names if one != in_goal[0]))
            found.append(Referent(request.place(*match.span()), "one of them", order))
    return list({referent.place: referent for referent in found}.values())


_NO_NAMES = {
    "The",
    "What",
    "How",
    "Figure",
    "Table",
    "When",
    "Find",
    "Which",
    "All",
    "Both",
    "English",
    "Chinese",
    "Experiment",
}

_GEOMETRY_ZH = re.compile(
    r"(?P<angle>∠[A-Z]{1,3})|(?P<chord>弦)?(?P<segment>(?<![A-Z∠△⊙])[A-Z]{2}(?![A-Z]))(?=的?长|[=＝]|的长度)"
)
_LABELLED_ZH = re.compile(
    r"(?P<label>[A-Z](?:_?\d)?|[甲乙丙丁])\s?(?P<noun>省|市|县|村|厂|波|车|球|点|物体|物块|粒子|小球|地|城|站|船|同学|公司|工厂|商店|容器|瓶|盒|袋|灯|棒|弹簧|滑块|木板|木块|溶液|物质|元素|方案|班|队|国|岛|植物|细胞|基因|港|展厅|教室|楼|仓库)"
)
_NOUN_FIRST_ZH = re.compile(
    r"(?<!最大)(?<!最小)(?P<noun>正方形|长方形|圆|电阻|物块|小球|开关|灯泡|容器|区域|展厅|粒子|质点|函数|直线|平面|卫星|支点|车间)\s?(?P<label>[A-Z](?:_?\d)?|[甲乙丙丁])(?![A-Z])"
)
_NAMES_ZH = re.compile(
    r"小[\u4e00-\u9fff](?![\u4e00-\u9fff]?[于的时球车块])|[甲乙丙丁](?![\u4e00-\u9fff]{0,2}图|[、和与])"
)
_COLOURS_ZH = "红|蓝|绿|黄|黑|白|灰|紫|橙|粉|大|小|左|右|内|外"


def one_of_chinese(noun: str) -> str:
    """`其中一辆车`: every noun has its own measure word."""
    measures = {
        "波": "列",
        "车": "辆",
        "小车": "辆",
        "船": "艘",
        "灯": "盏",
        "灯泡": "只",
        "线": "条",
        "曲线": "条",
        "折线": "条",
        "直线": "条",
        "花": "朵",
    }
    bare_nouns = ("省", "市", "县", "村", "地", "国", "城", "点", "站", "岛", "班", "队")
    return f"其中一{'' if noun in bare_nouns else measures.get(noun, '个')}{noun}"


def chinese_geometric(request: Request) -> list[Referent]:
    goal = request.goal
    matches = list(_GEOMETRY_ZH.finditer(goal))
    if len(matches) != 1 or len(_names_in(goal)) != 1:
        return []
    match = matches[0]
    noun, vague = (
        ("angle", "其中一个角") if match["angle"] else ("segment", "其中一条弦" if match["chord"] else "其中一条线段")
    )
    name = (match["angle"] or match["segment"]).removeprefix("∠")
    size = 2 if noun == "segment" else None
    others = (
        [one for one in dict.fromkeys(_names_in(request.before)) if len(one) == 2 and set(one) != set(name)]
        if size
        else []
    )
    others += [
        one[:2] for one in _names_in(request.before) if size and len(one) in (3, 4) and set(one[:2]) != set(name)
    ]
    others += [one for one in re.findall(r"∠([A-Z]{1,3})", request.before) if noun == "angle" and one != name]
    points = [one for one in _names_in(request.before) if len(one) == 1]
    others += [f"{points[0]}{points[2]}"] if match["chord"] and len(points) >= 3 else []
    others = [one for one in dict.fromkeys(others) if set(one) != set(name)]
    if not others:
        return []
    return [Referent(request.place(*match.span()), vague, tuple(f"{noun} {one}" for one in (name, *others[:4])))]


def chinese_labelled(request: Request) -> list[Referent]:
    found: list[Referent] = []
    in_goal = list(_LABELLED_ZH.finditer(request.goal))
    for match in in_goal:
        same = [one["label"] for one in in_goal if one["noun"] == match["noun"]]
        before = re.findall(
            rf"([A-Z甲乙丙丁](?:_?\d)?)(?:(?:、|和|与|，)[A-Z甲乙丙丁](?:_?\d)?)*(?:两|三|四|个|种|块|条|只|辆)*{match['noun']}",
            request.before,
        )
        listed = re.findall(
            rf"((?:[A-Z甲乙丙丁](?:_?\d)?(?:、|和|与)?\s?)+)(?:两|三|四|个|种|块|条|只|辆)*{match['noun']}",
            request.before,
        )
        labels = [*before, *(one for run in listed for one in re.findall(r"[A-Z甲乙丙丁](?:_?\d)?", run))]
        others = [one for one in dict.fromkeys(labels) if one not in same]
        if same.count(match["label"]) == 1 and len(same) == 1 and others and request.goal.count(match["label"]) == 1:
            names = tuple(f"{one}{match['noun']}" for one in (match["label"], *others))
            found.append(Referent(request.place(*match.span()), one_of_chinese(match["noun"]), names))
    return found


def chinese_noun_first(request: Request) -> list[Referent]:
    """`红色物块 Q` where the text has another one."""
    found: list[Referent] = []
    for match in _NOUN_FIRST_ZH.finditer(request.goal):
        labels = re.findall(rf"{match['noun']}\s?((?:[A-Z甲乙丙丁](?:_?\d)?(?:、|和|与)?)+)", request.before)
        others = [one for run in labels for one in re.findall(r"[A-Z甲乙丙丁](?:_?\d)?", run) if one != match["label"]]
        others = [one for one in dict.fromkeys(others) if one not in request.goal]
        if others and request.goal.count(match["label"]) == 1:
            colour = re.search(rf"(?:{_COLOURS_ZH})色的?$", request.goal[: match.start()])
            start = match.start() - (len(colour[0]) if colour else 0)
            names = tuple(f"{match['noun']}{one}" for one in (match["label"], *others))
            found.append(Referent(request.place(start, match.end()), one_of_chinese(match["noun"]), names))
    return found


def chinese_legend(request: Request) -> list[Referent]:
    """`A 表示食品，B 表示住房`: one of the entries of a legend is asked for."""
    entries = list(dict.fromkeys(re.findall(r"表示([\u4e00-\u9fff]{2,6})(?=[，。；、]|$)", request.before)))
    named = [one for one in entries if one in request.goal]
    if len(entries) < 2 or len(named) != 1 or request.goal.count(named[0]) != 1:
        return []
    start = request.goal.index(named[0])
    return [
        Referent(
            request.place(start, start + len(named[0])),
            "其中一项",
            (named[0], *(one for one in entries if one != named[0])),
        )
    ]


def chinese_names(request: Request) -> list[Referent]:
    goal_names = list(_NAMES_ZH.finditer(request.goal))
    if len(goal_names) != 1:
        return []
    match = goal_names[0]
    kind = r"小[\u4e00-\u9fff]" if match[0].startswith("小") else r"[甲乙丙丁]"
    others = [one for one in dict.fromkeys(re.findall(kind, request.before)) if one != match[0]]
    if not others or match[0] not in request.before:
        return []
    repeated = [one for one in others if request.before.count(one) >= 1]
    vague = "他" if match[0].startswith("小") else "其中一个"
    return [Referent(request.place(*match.span()), vague, (match[0], *repeated))]


def chinese_of_a_kind(request: Request) -> list[Referent]:
    found: list[Referent] = []
    for kind in word_list("kinds")["zh"]:
        alternatives = "|".join(sorted(kind["members"], key=len, reverse=True))
        in_goal = list(re.finditer(alternatives, request.goal))
        named = in_goal[0][0] if len(in_goal) == 1 else ""
        others = [one for one in dict.fromkeys(re.findall(alternatives, request.before)) if one != named]
        if not named or not others or not _stands_alone(request.goal, in_goal[0]):
            continue
        colour = re.search(rf"(?:{_COLOURS_ZH})色的?$", request.goal[: in_goal[0].start()])
        start = in_goal[0].start() - (len(colour[0]) if colour else 0)
        counted = re.search(r"[个只块条名种]$", request.goal[:start])
        plain = "其中一种" if kind["vague"] in ("物质", "动物", "水果") else "其中一个"
        vague = f"{'这种' if counted else plain}{kind['vague']}"
        found.append(Referent(request.place(start, in_goal[0].end()), vague, (named, *others[:4])))
    return found


def _stands_alone(goal: str, match: re.Match[str]) -> bool:
    """The name is no part of a longer one, has no label behind it, and the rest of the request does not give it away."""
    rest = goal[: match.start()] + goal[match.end() :]
    labelled = re.match(r"\s?[A-Z甲乙丙丁\d]", goal[match.end() :])
    part = match[0][-1] in rest or re.search(r"最[大小]$", goal[: match.start()])
    return not (labelled or part)


def chinese_shaded(request: Request) -> list[Referent]:
    found = list(re.finditer(r"(?:图中)?阴影部分", request.goal))
    if len(found) != 1 or "阴影" in request.before:
        return []
    return [Referent(request.place(*found[0].span()), "图中这部分", ("the shaded part", "the part that is not shaded"))]


def chinese_contrasted(request: Request) -> list[Referent]:
    found: list[Referent] = []
    for match in re.finditer(
        rf"(?P<word>{_COLOURS_ZH})(?:色的?)?(?P<noun>活塞|物块|小车|齿轮|柱|条形|折线|球|圆|车|珠|纸片|卡片|方块|灯|线|曲线|区域|正方形|三角形|花|瓶|盒)",
        request.goal,
    ):
        others = re.findall(rf"({_COLOURS_ZH})(?:色的?)?{match['noun']}", request.before)
        others = [one for one in dict.fromkeys(others) if one != match["word"]]
        labelled = re.search(r"[A-Z]_?\d", request.goal) or re.match(r"\s?[A-Z]", request.goal[match.end() :])
        if (
            others
            and not labelled
            and len(re.findall(rf"(?:{_COLOURS_ZH})(?:色的?)?{match['noun']}", request.goal)) == 1
        ):
            names = tuple(f"{one}{match['noun']}" for one in (match["word"], *others))
            counts = re.search(r"多少个|几个|个数|数量|最多|最少", request.goal)
            vague = f"其中一种{match['noun']}" if counts else one_of_chinese(match["noun"])
            found.append(Referent(request.place(*match.span()), vague, names))
    return found
