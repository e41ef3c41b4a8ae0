"""Segments and angles in a request that can be named vaguely, because the figure has more of them than the one
named."""

import re

from injectors.referents import Referent, Request, bare


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
            r"(?:length of |[Ff]ind |[Dd]etermine |[Cc]ompute |[Cc]alculate |the value of |long is "
            r"|size of )(?:the )?(?:line segment |segment |line |side |chord )?",
            "segment",
        ),
        (
            angle,
            r"(?:[Ff]ind |[Dd]etermine |measure of |size of |value of |angle of |degree measure of )(?:the )?",
            "angle",
        ),
    ):
        match = re.search(rf"(?P<lead>{lead})(?P<name>{pattern})", request.goal)
        if not match or not _is_alone(request.goal, match.end("name")) or len(names_in(request.goal)) != 1:
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
            found.append(Referent(place, f"{'the length of ' if bare_find else ''}the {noun}", names))
    return found


def _is_alone(goal: str, end: int) -> bool:
    return not re.match(r"\s*(?:[-+=<>/^]|and\b|\\)", goal[end:])


def names_in(text: str) -> list[str]:
    """Runs of one to four capital letters in formulas or standing alone, as geometry names points by them."""
    joined = re.sub(r"(?<=[A-Z])\s(?=[A-Z](?![a-z]))", "", re.sub(r"\\[A-Za-z]+|<image \d+>|[{}]|_\d", " ", text))
    return re.findall(r"(?<![A-Za-z])[A-Z]{1,5}(?![A-Za-z])", joined)


def _others(before: str, name: str, noun: str) -> list[str]:
    """Other segments (two letters) or angles (three) that the text names, or that a named polygon has."""
    size = 2 if noun == "segment" else 3
    names = names_in(before)
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
