"""Drawings of the mathematics pictures."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon, Rectangle

from starter.drawing.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    LARGE,
    PALE,
    RED,
    WHITE,
    add_arrow,
    add_text,
    new_chart,
    new_drawing,
)
from starter.figures.mathematics import CircleWithChord, Net, ParabolaAndLine, RightTriangle, Venn


def draw_right_triangle(data: RightTriangle) -> Figure:
    figure, axes = new_drawing(800, 600, 16)
    a, b, c = (2.2, 1.5 + data.ab), (2.2, 1.5), (2.2 + data.bc, 1.5)
    axes.add_patch(Polygon([a, b, c], closed=True, fc="#cfe9d6", ec=GREEN, lw=3, joinstyle="round"))
    axes.add_patch(Rectangle(b, 0.7, 0.7, fill=False, ec=INK, lw=2))
    add_text(axes, a[0], a[1] + 0.6, "A", LARGE, weight="bold")
    add_text(axes, b[0] - 0.5, b[1] - 0.4, "B", LARGE, weight="bold")
    add_text(axes, c[0] + 0.5, c[1] - 0.4, "C", LARGE, weight="bold")
    add_text(axes, a[0] - 0.95, b[1] + data.ab / 2, f"{data.ab} {data.unit}", LARGE)
    add_text(axes, b[0] + data.bc / 2, b[1] - 0.8, f"{data.bc} {data.unit}", LARGE)
    return figure


def draw_parabola_and_line(data: ParabolaAndLine) -> Figure:
    figure, axes = new_chart(760, 760)
    x = np.linspace(*data.x_range, 400)
    axes.plot(x, data.a * x**2 + data.b * x + data.c, color=BLUE, lw=3)
    axes.plot(x, data.slope * x + data.intercept, color=RED, lw=3)
    roots = np.roots([data.a, data.b - data.slope, data.c - data.intercept])
    for name, root, shift in zip("PQ", sorted(roots.real), ((-0.5, -0.15), (0.45, 0.3)), strict=True):
        height = data.slope * root + data.intercept
        axes.plot(root, height, "o", color=INK, ms=10, zorder=5)
        add_text(axes, root + shift[0], height + shift[1], name, LARGE, weight="bold")
    axes.spines["left"].set_position("zero")
    axes.spines["bottom"].set_position("zero")
    axes.set(xlim=data.x_range, ylim=data.y_range, aspect="equal")
    axes.set_xticks([tick for tick in range(*data.x_range) if tick])
    axes.set_yticks([tick for tick in range(*data.y_range) if tick])
    axes.grid(visible=True)
    axes.plot(1, 0, ">", color=INK, ms=9, transform=axes.get_yaxis_transform(), clip_on=False)
    axes.plot(0, 1, "^", color=INK, ms=9, transform=axes.get_xaxis_transform(), clip_on=False)
    add_text(axes, data.x_range[1] - 0.2, 0.35, "x", LARGE, style="italic")
    add_text(axes, 0.3, data.y_range[1] - 0.25, "y", LARGE, style="italic")
    return figure


def draw_circle_with_chord(data: CircleWithChord) -> Figure:
    figure, axes = new_drawing(700, 700, 34)
    half = data.ab / 2
    radius = float(np.hypot(half, data.oc))
    x, y = 17.0, 17.0
    a, b, c = (x - half, y - data.oc), (x + half, y - data.oc), (x, y - data.oc)
    axes.add_patch(Circle((x, y), radius, fc="#fbf6e9", ec=INK, lw=3))
    axes.plot([a[0], b[0]], [a[1], b[1]], color=BLUE, lw=4, zorder=3)
    axes.plot([x, x], [y, c[1]], color=RED, lw=4, zorder=3)
    axes.add_patch(Rectangle(c, 1.2, 1.2, fill=False, ec=INK, lw=2, zorder=3))
    axes.plot(x, y, "o", color=INK, ms=9, zorder=5)
    for name, px, py in (("O", x, y + 1.3), ("A", a[0] - 1.3, a[1] - 0.6), ("B", b[0] + 1.3, b[1] - 0.6)):
        add_text(axes, px, py, name, LARGE, weight="bold")
    add_text(axes, c[0], c[1] - 1.3, "C", LARGE, weight="bold")
    add_text(axes, x + 2.6, y - data.oc / 2, f"{data.oc} cm", LARGE)
    add_arrow(axes, (a[0], a[1] - 3.4), (b[0], b[1] - 3.4), GREY, width=1.6, both=True)
    axes.plot([a[0], a[0]], [a[1] - 0.3, a[1] - 4], color=GREY, lw=1.2)
    axes.plot([b[0], b[0]], [b[1] - 0.3, b[1] - 4], color=GREY, lw=1.2)
    add_text(axes, x, a[1] - 3.4, f"AB = {data.ab} cm", LARGE, box=True)
    return figure


def draw_venn(data: Venn) -> Figure:
    figure, axes = new_drawing(800, 560, 16)
    axes.add_patch(Rectangle((0.6, 0.6), 14.8, 10, fill=False, ec=INK, lw=2))
    for x, colour in ((5.9, RED), (10.1, BLUE)):
        axes.add_patch(Circle((x, 5.5), 3.9, fc=colour, ec="none", alpha=0.28))
        axes.add_patch(Circle((x, 5.5), 3.9, fill=False, ec=colour, lw=3))
    add_text(axes, 2.1, 9.2, "A", LARGE + 4, RED, "bold")
    add_text(axes, 13.9, 9.2, "B", LARGE + 4, BLUE, "bold")
    for x, number in ((4.2, data.only_a), (8, data.both), (11.8, data.only_b)):
        add_text(axes, x, 5.5, str(number), LARGE + 7, weight="bold")
    add_text(axes, 14.6, 1.4, "?", LARGE + 7, weight="bold")
    return figure


def draw_net(data: Net) -> Figure:
    figure, axes = new_drawing(600, 450, 4.8)
    columns = 1 + max(column for column, _ in data.squares)
    rows = 1 + max(row for _, row in data.squares)
    left, top = (4.8 - columns) / 2, (3.6 + rows) / 2
    axes.add_patch(Rectangle((0, 0), 4.8, 3.6, fc=PALE, ec="none"))
    for number, (column, row) in enumerate(data.squares):
        colour = GREEN if number == 0 else WHITE
        axes.add_patch(Rectangle((left + column, top - row - 1), 1, 1, fc=colour, ec=INK, lw=3, joinstyle="round"))
    return figure


DRAW = {
    RightTriangle: draw_right_triangle,
    ParabolaAndLine: draw_parabola_and_line,
    CircleWithChord: draw_circle_with_chord,
    Venn: draw_venn,
    Net: draw_net,
}
