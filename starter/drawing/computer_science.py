"""Drawings of the computer science pictures."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from starter.drawing.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LARGE,
    NORMAL,
    RED,
    WHITE,
    add_arrow,
    add_box,
    add_text,
    new_drawing,
)
from starter.figures.computer_science import BinaryTree, Collatz, Gates, Network, Stack, StateMachine

_LIGHT_BLUE = "#d8e6f5"


def draw_binary_tree(data: BinaryTree) -> Figure:
    figure, axes = new_drawing(800, 520, 16)
    places: dict[int, tuple[float, float]] = {}
    for index, key in enumerate(data.levels):
        depth = int(math.log2(index + 1))
        position = index + 1 - 2**depth
        if key is not None:
            places[index] = (16 * (position + 0.5) / 2**depth, 8.6 - 3.2 * depth)
    for index, place in places.items():
        if index:
            parent = places[(index - 1) // 2]
            axes.plot([place[0], parent[0]], [place[1], parent[1]], color=INK, lw=2.5, zorder=1)
    for index, (x, y) in places.items():
        axes.add_patch(Circle((x, y), 0.95, fc=GREEN if index == 0 else _LIGHT_BLUE, ec=INK, lw=2.5, zorder=2))
        add_text(axes, x, y, data.levels[index] or "", LARGE, WHITE if index == 0 else INK, "bold")
    return figure


def draw_flow_chart(data: Collatz) -> Figure:
    figure, axes = new_drawing(760, 920, 15.2)
    add_box(axes, 4.2, 16.6, 5.0, 1.2, "#bfe3ca", rounding=0.6)
    add_text(axes, 6.7, 17.2, "read n")
    add_box(axes, 4.2, 14.3, 5.0, 1.2, _LIGHT_BLUE)
    add_text(axes, 6.7, 14.9, "count = 0")
    _add_choice(axes, 6.7, 11.9, f"n = {data.stop} ?")
    _add_choice(axes, 6.7, 7.9, "n even ?")
    add_box(axes, 0.6, 4.4, 4.6, 1.2, _LIGHT_BLUE)
    add_text(axes, 2.9, 5.0, f"n = n / {data.divisor}")
    add_box(axes, 8.2, 4.4, 4.6, 1.2, _LIGHT_BLUE)
    add_text(axes, 10.5, 5.0, f"n = {data.factor}n + {data.addend}")
    add_box(axes, 3.8, 1.5, 5.8, 1.2, _LIGHT_BLUE)
    add_text(axes, 6.7, 2.1, "count = count + 1")
    add_box(axes, 10.8, 11.3, 4.0, 1.2, "#f3c3c6", rounding=0.6)
    add_text(axes, 12.8, 11.9, "print count")
    for start, end in (
        ((6.7, 16.6), (6.7, 15.5)),
        ((6.7, 14.3), (6.7, 13.3)),
        ((6.7, 10.5), (6.7, 9.3)),
        ((9.2, 11.9), (10.8, 11.9)),
        ((2.9, 7.9), (2.9, 5.6)),
        ((10.5, 7.9), (10.5, 5.6)),
        ((5.6, 3.5), (5.6, 2.7)),
        ((7.8, 3.5), (7.8, 2.7)),
        ((0.3, 13.8), (6.7, 13.8)),
    ):
        add_arrow(axes, start, end, INK, 2.2, 20)
    line = {"color": INK, "lw": 2.2, "zorder": 1}
    axes.plot([4.2, 2.9], [7.9, 7.9], **line)
    axes.plot([9.2, 10.5], [7.9, 7.9], **line)
    axes.plot([2.9, 2.9, 5.6], [4.4, 3.5, 3.5], **line)
    axes.plot([10.5, 10.5, 7.8], [4.4, 3.5, 3.5], **line)
    axes.plot([3.8, 0.3, 0.3], [2.1, 2.1, 13.8], **line)
    for x, y, answer in ((10.0, 12.35, "yes"), (7.4, 10.0, "no"), (3.5, 8.4, "yes"), (9.9, 8.4, "no")):
        add_text(axes, x, y, answer, NORMAL - 2)
    return figure


def _add_choice(axes: Axes, x: float, y: float, text: str) -> None:
    axes.add_patch(
        Polygon(
            [(x - 2.5, y), (x, y + 1.4), (x + 2.5, y), (x, y - 1.4)], closed=True, fc="#f6e2a8", ec=INK, lw=2, zorder=2
        )
    )
    add_text(axes, x, y, text)


def draw_network(data: Network) -> Figure:
    figure, axes = new_drawing(860, 520, 10)
    places = {name: (x, y) for name, x, y in data.nodes}
    for first, second, delay in data.links:
        (x0, y0), (x1, y1) = places[first], places[second]
        axes.plot([x0, x1], [y0, y1], color=GREY, lw=3.5, zorder=1)
        add_text(axes, (x0 + x1) / 2, (y0 + y1) / 2, str(delay), LARGE, weight="bold", box=True)
    for name, (x, y) in places.items():
        colour = {data.start: RED, data.goal: GREEN}.get(name, BLUE)
        axes.add_patch(Circle((x, y), 0.48, fc=colour, ec=INK, lw=2.5, zorder=3))
        add_text(axes, x, y, name, LARGE, WHITE, "bold")
    return figure


def draw_state_machine(data: StateMachine) -> Figure:
    figure, axes = new_drawing(860, 520, 17.2)
    places = {"S0": (3.6, 4.8), "S1": (8.8, 7.9), "S2": (8.8, 1.9), "S3": (14.0, 4.8)}
    for state, symbol, following in data.moves:
        if state == following:
            _add_loop(axes, places[state], symbol)
        else:
            back = any((first, last) == (following, state) for first, _, last in data.moves)
            _add_move(axes, places[state], places[following], symbol, back)
    add_arrow(axes, (0.6, 4.8), (2.35, 4.8), INK, 2.5, 24)
    for state, (x, y) in places.items():
        colour = GREEN if state == data.accepting else WHITE
        axes.add_patch(Circle((x, y), 1.2, fc=colour, ec=INK, lw=2.5, zorder=3))
        if state == data.accepting:
            axes.add_patch(Circle((x, y), 0.98, fill=False, ec=INK, lw=2, zorder=4))
        add_text(axes, x, y, state, LARGE, WHITE if state == data.accepting else INK, "bold")
    return figure


def _add_loop(axes: Axes, place: tuple[float, float], symbol: str) -> None:
    x, y = place
    add_arrow(axes, (x - 0.6, y + 1.05), (x + 0.6, y + 1.05), INK, 2.2, 20, bend=-1.5)
    add_text(axes, x - 1.1, y + 1.75, symbol, LARGE, BLUE, "bold")


def _add_move(axes: Axes, start: tuple[float, float], end: tuple[float, float], symbol: str, back: bool) -> None:
    """An arc that bulges away from the middle of the picture, or to its left where another one leads back."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    left = (-along[1], along[0])
    outward = left[0] * (middle[0] - 8.8) + left[1] * (middle[1] - 4.8)
    turn = -1 if outward < 0 and not back else 1
    side = (turn * left[0], turn * left[1])
    first = (start[0] + 1.25 * along[0] + 0.3 * side[0], start[1] + 1.25 * along[1] + 0.3 * side[1])
    last = (end[0] - 1.25 * along[0] + 0.3 * side[0], end[1] - 1.25 * along[1] + 0.3 * side[1])
    add_arrow(axes, first, last, INK, 2.2, 20, bend=-0.14 * turn)
    reach = 0.75 + 0.07 * length
    add_text(axes, middle[0] + reach * side[0], middle[1] + reach * side[1], symbol, LARGE, BLUE, "bold")


def draw_gates(data: Gates) -> Figure:
    figure, axes = new_drawing(860, 500, 17.2)
    line = {"color": INK, "lw": 2.5, "zorder": 1}
    for name, y in (("A", 8.4), ("B", 6.2), ("C", 1.8)):
        add_text(axes, 0.9, y, name, LARGE, weight="bold")
    axes.plot([1.5, 5], [8.4, 8.4], **line)
    axes.plot([1.5, 5], [6.2, 6.2], **line)
    axes.plot([1.5, 5], [1.8, 1.8], **line)
    axes.plot([3, 3, 5], [6.2, 3.6, 3.6], **line)
    axes.plot(3, 6.2, "o", color=INK, ms=9, zorder=3)
    axes.plot([8, 9.6, 9.6, 11], [7.3, 7.3, 5.9, 5.9], **line)
    axes.plot([8, 9.6, 9.6, 11], [2.7, 2.7, 4.1, 4.1], **line)
    axes.plot([14, 15.6], [5, 5], **line)
    for x, y, name, colour in ((5, 5.8, data.blue, BLUE), (5, 1.2, data.red, RED), (11, 3.5, data.green, GREEN)):
        add_box(axes, x, y, 3, 3, colour, rounding=0.3, line=2.5)
        add_text(axes, x + 1.5, y + 1.5, name, LARGE, WHITE, "bold")
    for x, y, name in ((8.8, 7.9, "X"), (8.8, 2.1, "Y"), (16.2, 5, "Z")):
        add_text(axes, x, y, name, LARGE, weight="bold")
    return figure


def draw_stack(data: Stack) -> Figure:
    figure, axes = new_drawing(600, 520, 12)
    axes.plot([4, 4, 8, 8], [9.2, 1, 1, 9.2], color=INK, lw=4, solid_joinstyle="round")
    for number, value in enumerate(data.values):
        top = number == len(data.values) - 1
        add_box(axes, 4.15, 1.15 + 1.8 * number, 3.7, 1.7, RED if top else _LIGHT_BLUE)
        add_text(axes, 6, 2.0 + 1.8 * number, str(value), LARGE + 4, WHITE if top else INK, "bold")
    y = 2.0 + 1.8 * (len(data.values) - 1)
    add_arrow(axes, (10.4, y), (8.2, y), INK, 2.5, 22)
    add_text(axes, 11.0, y, "top", NORMAL)
    return figure


DRAW = {
    BinaryTree: draw_binary_tree,
    Collatz: draw_flow_chart,
    Network: draw_network,
    StateMachine: draw_state_machine,
    Gates: draw_gates,
    Stack: draw_stack,
}
