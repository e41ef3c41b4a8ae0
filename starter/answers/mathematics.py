"""Checks of the mathematics questions."""

import math

from starter.answers.expected import Expected
from starter.figures.mathematics import CLUBS, GRAPHS, NETS, TABLETOP, TURF, Net

Vector = tuple[int, int, int]


def expected() -> dict[str, Expected]:
    return {
        "mathematics-turf": _turf(price=4),
        "mathematics-graphs": _line(),
        "mathematics-nets": _nets(),
        "mathematics-pool": Expected(f"{25 * 10 * 1.8 / 15:g} hours", ("25 m", "10 m", "1.8 m", "15 cubic metres")),
        "mathematics-tabletop": _tabletop(thickness=2, pi=3),
        "mathematics-clubs": _clubs(total=40),
    }


def _turf(price: int) -> Expected:
    cost = TURF.ab * TURF.bc / 2 * price
    return Expected(f"{cost:g} euros", (f"{price} euros per square metre", "right angle at B"))


def _line() -> Expected:
    """The text's claim that there are two points of intersection is checked as well."""
    a, b, c = GRAPHS.a, GRAPHS.b - GRAPHS.slope, GRAPHS.c - GRAPHS.intercept
    assert b * b - 4 * a * c > 0
    factor = {1: "", -1: "-"}.get(GRAPHS.slope, str(GRAPHS.slope))
    sign = "+" if GRAPHS.intercept > 0 else "-"
    return Expected(
        f"y = {factor}x {sign} {abs(GRAPHS.intercept)}",
        ("blue graph, which is a parabola", "red graph, which is a straight line"),
    )


def _nets() -> Expected:
    good = [number for number, net in enumerate(NETS, start=1) if _closes(net)]
    assert len(good) == 1
    return Expected(f"<image {good[0]}>", (f"{_word(len(NETS[0].squares))} equal squares", "5 cm"))


def _closes(net: Net) -> bool:
    """Rolls a cube over the net: it closes when each square meets another face."""
    places = set(net.squares)
    start = net.squares[0]
    frames: dict[tuple[int, int], tuple[Vector, Vector, Vector]] = {start: ((1, 0, 0), (0, 1, 0), (0, 0, 1))}
    waiting = [start]
    while waiting:
        column, row = waiting.pop()
        right, down, normal = frames[(column, row)]
        rolls = {
            (column + 1, row): (_minus(normal), down, right),
            (column - 1, row): (normal, down, _minus(right)),
            (column, row + 1): (right, _minus(normal), down),
            (column, row - 1): (right, normal, _minus(down)),
        }
        for place, frame in rolls.items():
            if place in places and place not in frames:
                frames[place] = frame
                waiting.append(place)
    return len(frames) == 6 and len({normal for _, _, normal in frames.values()}) == 6


def _minus(vector: Vector) -> Vector:
    return (-vector[0], -vector[1], -vector[2])


def _word(number: int) -> str:
    return ("zero", "one", "two", "three", "four", "five", "six")[number]


def _tabletop(thickness: int, pi: int) -> Expected:
    radius = math.hypot(TABLETOP.ab / 2, TABLETOP.oc)
    volume = pi * radius**2 * thickness
    return Expected(f"{volume:g} 立方厘米", (f"厚度为 {thickness} cm", f"π 取 {pi}", "蓝色线段 AB", "红色线段 OC"))


def _clubs(total: int) -> Expected:
    rest = total - CLUBS.only_a - CLUBS.both - CLUBS.only_b
    return Expected(f"{rest} 名", (f"共有 {total} 名学生", "红色圆 A", "蓝色圆 B"))
