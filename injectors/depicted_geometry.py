"""Relations of labelled points and lines that a text says its figure shows: midpoints, parallels, angles, equal
sides."""

import random
import re

from injectors.depictions import Description, Restatement, inside
from injectors.passages import Span

_MIDPOINT = re.compile(
    r"(?P<point>\$?[A-Z]\$?)(?P<verb>是|为| is the midpoint of (?:side |line segment "
    r"|segment )?)(?P<open>\$?(?:\\overline\{)?)(?P<a>[A-Z])(?P<gap>\s?)(?P<b>[A-Z])(?P<close>\}?\$?)(?P<tail>的中点)?"
)

_EQUAL_SIDES = re.compile(
    r"(?<![A-Za-z])(?P<a>[A-Z])(?P<gap>\s?)(?P<b>[A-Z])\s?[=＝]\s?(?P<c>[A-Z])\s?(?P<d>[A-Z])(?![A-Za-z])"
)

_ANGLE = re.compile(
    r"(?P<name>∠[A-Z]{1,3}|\\angle\s?(?:[A-Z]\s?){1,3}|angle \$?(?:[A-Z]\s?){3}"
    r"|\\theta)\s?[=＝]\s?(?P<value>\d{2,3})(?P<unit>\s?°|\s?\^\s?\{?\s?\\circ\s?\}?)"
)

_RELATION = re.compile(r"is (?P<old>parallel|perpendicular) to|(?P<sign>⊥|∥|//)")


_RIGHT_ANGLE = re.compile(
    r"right angle at \$?(?P<vertex>[A-Z])\b|∠(?P<chinese>[A-Z])\s?[＝=]\s?90°|∠(?P<corner>[A-Z])是直角"
)

_CHINESE_RELATION = re.compile(r"[A-Z]{1,2}\s?(?P<old>垂直|平行)于\s?[A-Z]{1,2}")


def swapped_geometry(description: Description, stream: random.Random) -> list[Restatement]:
    """A relation of labelled points or lines: midpoint of which side, parallel or perpendicular, a sharp or a blunt
    angle, where the right angle lies."""
    text, shown = description.text, description.shown
    return [
        *_other_midpoint(text, shown),
        *_other_relation(text, shown),
        *_other_chinese_relation(text, shown),
        *_other_angle(text, shown, stream),
        *_other_right_angle(text, shown),
        *_other_equal_sides(text, shown),
    ]


def _other_right_angle(text: str, shown: list[Span]) -> list[Restatement]:
    """At the next corner of a triangle that is named, when nothing else of the text rests on it."""
    matches = list(_RIGHT_ANGLE.finditer(text))
    if (
        len(matches) != 1
        or not inside(shown, Span(*matches[0].span()))
        or re.search(r"hypotenuse|\bleg\b|斜边|直角边", text)
    ):
        return []
    match = matches[0]
    group = next(name for name in ("vertex", "chinese", "corner") if match[name])
    triangle = re.search(r"(?:[Tt]riangle \$?|△|三角形\s?)(?P<name>[A-Z]{3})\b", text)
    if not triangle or match[group] not in triangle["name"]:
        return []
    other = triangle["name"][(triangle["name"].index(match[group]) + 1) % 3]
    before, place = match[0], Span(*match.span(group))
    after = before.replace(match[group], other)
    return [Restatement(((place, other),), before, after, "where the right angle lies")]


def _other_chinese_relation(text: str, shown: list[Span]) -> list[Restatement]:
    matches = list(_CHINESE_RELATION.finditer(text))
    if len(matches) != 1 or len(re.findall("垂直|平行", text)) != 1 or not inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    new = "平行" if match["old"] == "垂直" else "垂直"
    before = match[0]
    foot = re.search(r"，垂足为\s?[A-Z]", text)
    places = [(Span(*match.span("old")), new)]
    if foot:
        places.append((Span(*foot.span()), ""))
    return [Restatement(tuple(places), before, before.replace(match["old"], new), "how the two lines lie")]


def _other_midpoint(text: str, shown: list[Span]) -> list[Restatement]:
    found: list[Restatement] = []
    for match in _MIDPOINT.finditer(text):
        polygon = _polygon_with(text, match["a"], match["b"])
        if not polygon or (match["verb"] in "是为") != bool(match["tail"]):
            continue
        third = next(one for one in polygon if one not in (match["a"], match["b"]))
        place = Span(match.start("b"), match.end("b"))
        sides = match["a"] + match["b"], match["a"] + third
        if inside(shown, Span(*match.span())) and len(re.findall("midpoint|中点", text)) == 1:
            found.append(
                Restatement(
                    ((place, third),),
                    f"the midpoint of {sides[0]}",
                    f"the midpoint of {sides[1]}",
                    "where this point lies",
                )
            )
    return found


def _polygon_with(text: str, first: str, second: str) -> str | None:
    """A polygon of the text that has the two points as neighbours, so that another of its sides can take the place."""
    joined = re.sub(r"(?<=[A-Z])\s(?=[A-Z](?![a-z]))", "", text)
    for name in re.findall(
        r"(?:△|\\triangle\s?|[Tt]riangle \$?|[Ss]quare \$?|[Rr]ectangle \$?|三角形|正方形"
        r"|矩形|四边形|(?<=在)(?:Rt△)?)([A-Z]{3,4})",
        joined,
    ):
        ring = name + name[0]
        if first + second in ring or second + first in ring:
            return name
    return None


def _other_relation(text: str, shown: list[Span]) -> list[Restatement]:
    matches = list(_RELATION.finditer(text))
    if len(matches) != 1 or not inside(shown, Span(*matches[0].span())):
        return []
    match = matches[0]
    if match["old"]:
        new = "perpendicular" if match["old"] == "parallel" else "parallel"
        return [
            Restatement(
                ((Span(match.start("old"), match.end("old")), new),),
                f"{match['old']} to",
                f"{new} to",
                "how the two lines lie",
            )
        ]
    new = "∥" if match["sign"] == "⊥" else "⊥"
    if (
        "http" in text
        or not re.search(r"[A-Z]\s?$", text[: match.start()])
        or not re.match(r"\s?[A-Z]", text[match.end() :])
    ):
        return []
    return [Restatement(((Span(*match.span()), new),), match["sign"], new, "how the two lines lie")]


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
    if not inside(shown, Span(*match.span())) or not (20 <= value <= 70 or 110 <= value <= 160):
        return []
    new = str(
        180 - value - stream.choice((0, 5, 10)) if value < 90 else max(20, 180 - value - stream.choice((0, 5, 10)))
    )
    return [
        Restatement(
            ((Span(match.start("value"), match.end("value")), new),),
            f"{value} degrees",
            f"{new} degrees",
            "how large this angle is",
        )
    ]


def _other_equal_sides(text: str, shown: list[Span]) -> list[Restatement]:
    """`AB = AC` becomes `AB = BC` in a triangle ABC: the picture shows which two sides are alike."""
    matches = [one for one in _EQUAL_SIDES.finditer(text) if len({one["a"], one["b"], one["c"], one["d"]}) == 3]
    if len(matches) != 1 or not inside(shown, Span(*matches[0].span())):
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
