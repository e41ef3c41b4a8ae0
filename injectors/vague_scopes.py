"""Scopes and standards in a request that can be worded vaguely: by which measure something stands out, from which
number on something counts, how things lie to each other, at which argument a function is meant."""

import re

from injectors.referents import Referent, Request

_TOP = (
    "largest|biggest|greatest|highest|tallest|longest|oldest|heaviest|fastest|strongest|widest|steepest|most "
    "expensive|warmest|hottest"
)
_BOTTOM = "smallest|least|lowest|shortest|youngest|lightest|slowest|weakest|narrowest|cheapest|coldest|earliest|latest"
_OPPOSITES = {
    "largest": "smallest", "biggest": "smallest", "greatest": "smallest", "highest": "lowest", "tallest": "shortest",
    "longest": "shortest",
    "oldest": "newest", "heaviest": "lightest", "fastest": "slowest", "strongest": "weakest", "widest": "narrowest",
    "steepest": "flattest",
    "most expensive": "cheapest", "warmest": "coldest", "hottest": "coldest", "smallest": "largest",
    "least": "greatest", "lowest": "highest",
    "shortest": "longest", "youngest": "oldest", "lightest": "heaviest", "slowest": "fastest", "weakest": "strongest",
    "narrowest": "widest",
    "cheapest": "most expensive", "coldest": "warmest", "earliest": "latest", "latest": "earliest",
}  # fmt: skip
_STANDING_OUT = re.compile(
    rf"(?P<lead>\b(?:[Ww]hich|[Ww]hat|[Ww]ho)\b[^,.?]*?)\s(?P<words>(?:is|are|was|were) the (?P<plain>{_TOP}"
    rf"|{_BOTTOM})|(?:has|have|had|shows?) the (?P<kind>{_TOP}"
    rf"|{_BOTTOM}) (?P<measure>(?:[a-z-]+ ){{0,3}}?[a-z-]+))(?=\s*[?.])"
)
_THRESHOLD = re.compile(
    r"\b(?P<words>(?:(?:values? )?(?:smaller|less|lower) than (?P<below>\d+(?:\.\d+)?)|(?:values? )?(?:larger"
    r"|greater|more|higher) than (?P<above>\d+(?:\.\d+)?)"
    r"|exactly (?P<equal>\d+|two|three|four|five|six)|at least (?P<least>\d+|two|three|four|five"
    r"|six)))(?P<unit>\s[a-z]+)?(?=[\s?.,])"
)
_RELATION = re.compile(
    r"\b(?:on the (?:left|right)(?:-hand)? side of|to the (?:left|right) of|behind|in front of) (?=the\b|an?\b)"
)
_FUNCTION_VALUE = re.compile(
    r"(?P<lead>(?:[Cc]ompute|[Cc]alculate|[Dd]etermine|[Ff]ind)\s+)\$(?P<name>[A-Za-z])\((?P<argument>\d+)\)\$"
)
_DRAWN_LABEL = re.compile(
    r"\bthe (?P<noun>structure|part|organ|region|bone|muscle|layer|vessel|component|arrow|area|section"
    r"|cell)\s(?:labell?ed|marked|indicated by|at|numbered)\s(?:as\s|with\s|by\s)?"
    r"(?:the\s)?(?:letter\s|number\s)?[\"“'(]?(?P<label>[B-Z]|[2-9]|\d{2,3})[\"”')]?(?=[\s.,?])"
    r"|\bthe (?P<number>\d{2,3}) (?P<drawn>structure|part|organ|bone|muscle)\b"
)
_AVERAGE = re.compile(
    r"\b(?P<word>median|mean|average)(?=\s(?:number|value|score|price|age|income|height|weight|temperature|rainfall"
    r"|time|force|salary|wage|cost|length|amount)\b)"
)
_COMPONENT = re.compile(
    r"\b(?:the\s+)?\$?(?P<kind>x|y|horizontal|vertical|normal|tangential|radial)\$?[\s-](?P<noun>coordinate"
    r"|components?)\b(?! and)"
)
_OTHER_COMPONENTS = {
    "x": ("y",), "y": ("x",), "horizontal": ("vertical",), "vertical": ("horizontal",), "normal": ("tangential",),
    "tangential": ("normal",),
    "radial": ("tangential",),
}  # fmt: skip
_CASE = re.compile(r"\b(?P<noun>case|scenario|trial|phase|stage|situation|test) (?P<label>\d|[A-C])(?![\w.])")
_MEMBER = re.compile(r"\b(?P<noun>member|link|cable|strut|bar|beam|rod)\s(?P<label>\$?[A-Z]{2}\$?)(?![A-Za-z])")
_FINISHED = re.compile(r"\bwhen\b[^,.?]*?\bwas (?P<word>finished|completed|begun|started)\b")
_CHINESE_AGES = re.compile(r"\s*\d+\s*(?:至|到|[-~～—])\s*\d+\s*岁的")
_CHINESE_STANDING_OUT = re.compile(r"(?P<word>最[高低大小多少长短快慢重轻贵])(?=[？?。]|$)")


def standing_out(request: Request) -> list[Referent]:
    """`Which bar is the tallest?`: the tallest stands out, and so does the shortest."""
    match = _STANDING_OUT.search(request.goal)
    if not match:
        return []
    old = match["plain"] or match["kind"]
    several = re.match(r"(?:are|were|have)\b", match["words"])
    past = re.match(r"(?:was|were|had)\b", match["words"])
    verb = "stood out" if past else "stand out" if several else "stands out"
    after = f"{verb} in {match['measure']}" if match["kind"] else verb
    place = request.place(*match.span("words"))
    what = f" {match['measure']}" if match["measure"] else ""
    return [Referent(place, after, (f"the {old}{what}", f"the {_OPPOSITES[old]}{what}"), keeps_options=True)]


def threshold(request: Request) -> list[Referent]:
    """`smaller than 1`, `exactly 56`: without the number nobody knows from where on something counts. An example would
    show it."""
    match = _THRESHOLD.search(request.goal)
    if (
        not match
        or not re.search(r"\b(?:[Hh]ow many|[Ww]hich|[Ii]n how many)\b", request.goal[: match.start()])
        or "$" in request.goal
        or "example" in request.goal
    ):
        return []
    valued = match["words"].startswith("value")
    if match["below"]:
        vague, other = ("low values" if valued else "rather little"), "any other bound"
    elif match["above"]:
        vague, other = ("high values" if valued else "rather much"), "any other bound"
    else:
        is_share = (match["unit"] or "").strip() == "of"
        vague, other = ("a fair number" if is_share else "a fair number of"), "any other number"
    if (match["below"] or match["above"]) and not valued:
        return []
    return [Referent(request.place(*match.span("words")), vague, (match["words"], f"{other} in its place"))]


def near_by(request: Request) -> list[Referent]:
    """`to the left of the bicycle` becomes `near the bicycle`: on which side and how near is left open."""
    found = list(_RELATION.finditer(request.goal))
    if not 1 <= len(found) <= 2 or not re.search(r"\b(?:number|many|which|what|there)\b", request.goal, re.IGNORECASE):
        return []
    match = found[0]
    if request.goal[match.end() :].startswith("the question mark"):
        return []
    named = match[0].strip()
    return [Referent(request.place(*match.span()), "near ", (named, "on any side of", "at a short distance from"))]


# An average force is one over time: no median comes into question.
_MEAN_BY_NATURE = re.compile(r"\s(?:force|speed|velocity|power|current|acceleration|rate|energy)\b")


def typical(request: Request) -> list[Referent]:
    """`The median number`: what is typical can be the mean, the median or the most common."""
    found = list(_AVERAGE.finditer(request.goal))
    if len(found) != 1 or re.search(r"\b(?:mean|median|mode|average)\b", request.before):
        return []
    if _MEAN_BY_NATURE.match(request.goal, found[0].end()):
        return []
    named = found[0]["word"].lower()
    names = (
        named,
        *(
            one
            for one in ("mean", "median", "most common value")
            if one != named and not (one == "mean" and named == "average")
        ),
    )
    return [Referent(request.place(*found[0].span("word")), "typical", tuple(f"the {name}" for name in names))]


def one_component(request: Request) -> list[Referent]:
    """`the $x$ component`: a vector has more components than one."""
    found = list(_COMPONENT.finditer(request.goal))
    if len(found) != 1:
        return []
    named = " ".join(found[0][0].replace("$", "").split())
    noun = found[0]["noun"].removesuffix("s")
    names = (named, *(f"the {other} {noun}" for other in _OTHER_COMPONENTS[found[0]["kind"]]))
    return [Referent(request.place(*found[0].span()), f"the {noun}", names)]


def numbered_case(request: Request) -> list[Referent]:
    """`In case 1`: a case with a number is one of several."""
    found = list(_CASE.finditer(request.goal))
    if len(found) != 1:
        return []
    noun, label = found[0]["noun"], found[0]["label"]
    names = (f"{noun} {label}", f"any other {noun} of those that are numbered")
    return [Referent(request.place(*found[0].span()), f"the {noun}", names)]


def function_argument(request: Request) -> list[Referent]:
    """`Calculate $P(10)$` becomes `Calculate the value of $P$`: for which argument is left open. All values of $P(0)$
    would not: all values of $P$ can be told. Nor where the text gives a value of $P$."""
    match = _FUNCTION_VALUE.search(request.goal)
    if not match or not re.search(rf"{match['name']}\((?!{match['argument']}\))", request.before):
        return []
    name, argument = match["name"], int(match["argument"])
    if re.search(rf"{name}\(\d+\)\s*=", request.before):
        return []
    place = request.place(match.end("lead"), match.end())
    names = tuple(f"{name}({argument + step})" for step in range(3))
    return [Referent(place, f"the value of ${name}$", names)]


def drawn_label(request: Request) -> list[Referent]:
    """`the structure labelled C`: a drawing with that label has other labels too."""
    match = _DRAWN_LABEL.search(request.goal)
    if not match:
        return []
    noun, label = match["noun"] or match["drawn"], match["label"] or match["number"]
    names = (f"the {noun} with label {label}", f"any {noun} with another label of the drawing")
    return [Referent(request.place(*match.span()), f"the {noun}", names)]


def framework_member(request: Request) -> list[Referent]:
    """`member BC` of a truss: a truss has more members than one."""
    found = list(_MEMBER.finditer(request.goal))
    if len(found) != 1 or not re.search(
        r"\b(?:truss|frame|framework|linkage|mechanism)\b", request.before, re.IGNORECASE
    ):
        return []
    noun, label = found[0]["noun"], found[0]["label"].strip("$")
    if request.goal.count(label) != 1:
        return []
    names = (f"{noun} {label}", f"any other {noun} of the drawing")
    return [Referent(request.place(*found[0].span()), f"the {noun}", names)]


def chinese_standing_out(request: Request) -> list[Referent]:
    """最高 becomes 最特别: the highest stands out, and so does the lowest."""
    match = _CHINESE_STANDING_OUT.search(request.goal)
    if not match or not re.search(r"哪|谁|何", request.goal[: match.start()]):
        return []
    opposite = dict(zip("高低大小多少长短快慢重轻贵", "低高小大少多短长慢快轻重贱", strict=True))
    names = (match["word"], f"最{opposite[match['word'][1]]}")
    return [Referent(request.place(*match.span()), "最特别", names, keeps_options=True)]


def built(request: Request) -> list[Referent]:
    """`when the hall was finished` becomes `when the hall was built`, where the text says when it was begun, too."""
    match = _FINISHED.search(request.goal)
    begun = re.search(r"\b(?:begun|started)\b", request.before)
    ended = re.search(r"\b(?:finish|complet)ed\b", request.before)
    if not (match and begun and ended):
        return []
    other = begun[0] if match["word"] in ("finished", "completed") else ended[0]
    names = (f"when it was {match['word']}", f"when it was {other}")
    return [Referent(request.place(*match.span("word")), "built", names)]


def chinese_ages(request: Request) -> list[Referent]:
    """`20 至 39 岁的人口` becomes 年轻的人口: up to which age one is young is left open."""
    match = _CHINESE_AGES.search(request.goal)
    if not match or not re.match(r"[\u4e00-\u9fff]", request.goal[match.end() :]):
        return []
    return [Referent(request.place(*match.span()), "年轻的", (match[0].strip(), "any other range of ages"))]
