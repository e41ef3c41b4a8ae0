"""Drawings of the engineering pictures."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from starter.drawing.style import (
    BLUE,
    GREY,
    INK,
    LARGE,
    NAMED,
    NORMAL,
    PALE,
    RED,
    WATER,
    WHITE,
    add_arrow,
    add_box,
    add_dimension,
    add_text,
    new_chart,
    new_drawing,
)
from starter.figures.engineering import Beam, Gantt, GearTrain, Press, StressStrain, View


def draw_beam(data: Beam) -> Figure:
    figure, axes = new_drawing(860, 460, 17.2)
    left, unit, height = 2.6, 2.0, 4.6
    right, load = left + data.span * unit, left + data.load_at * unit
    add_box(axes, left - 0.6, height, right - left + 1.2, 0.7, "#7fb0e0", line=2.5)
    for x, name in ((left, "A"), (right, "B")):
        axes.add_patch(Polygon([(x, height), (x - 0.7, height - 1.2), (x + 0.7, height - 1.2)], fc=GREY, ec=INK, lw=2))
        axes.plot([x - 1.1, x + 1.1], [height - 1.2] * 2, color=INK, lw=3)
        add_text(axes, x + 1.2, height - 0.6, name, LARGE, weight="bold")
    add_arrow(axes, (load, height + 3.4), (load, height + 0.7), RED, 5, 30)
    add_text(axes, load + 0.6, height + 2.6, "F", LARGE, RED, "bold")
    for x in (left, load, right):
        axes.plot([x, x], [2.9 if x == load else 3.2, 1.0], color=GREY, lw=1.2)
    add_dimension(axes, (left, 2.3), (load, 2.3), f"{data.load_at} m", LARGE)
    add_dimension(axes, (left, 1.2), (right, 1.2), f"{data.span} m", LARGE)
    return figure


def draw_gear_train(data: GearTrain) -> Figure:
    figure, axes = new_drawing(900, 480, 18)
    module = 0.0655
    radii = [teeth * module for teeth in data.teeth]
    x, y = 1.0 + radii[0], 4.8
    for number, (teeth, radius, colour) in enumerate(zip(data.teeth, radii, (BLUE, GREY, RED), strict=True)):
        if number:
            x += radii[number - 1] + radius
        _add_gear(axes, (x, y), teeth, radius, colour, number)
        add_text(axes, x, y, f"z = {teeth}", NORMAL if number == 0 else LARGE, WHITE, "bold")
    add_arrow(axes, (1.0, 6.6), (3.6, 6.6), BLUE, 3, 22, bend=-0.45)
    return figure


def _add_gear(axes: Axes, centre: tuple[float, float], teeth: int, radius: float, colour: str, number: int) -> None:
    corners: list[tuple[float, float]] = []
    turn = math.pi / teeth if number == 1 else 0.0
    for tooth in range(teeth):
        for share, height in ((-0.30, -0.1), (-0.14, 0.1), (0.14, 0.1), (0.30, -0.1)):
            angle = turn + 2 * math.pi * (tooth + share) / teeth
            corners.append(
                (centre[0] + (radius + height) * math.cos(angle), centre[1] + (radius + height) * math.sin(angle))
            )
    axes.add_patch(Polygon(corners, closed=True, fc=colour, ec=INK, lw=1.5, zorder=2))


def draw_stress_strain(data: StressStrain) -> Figure:
    figure, axes = new_chart(840, 560)
    strain, stress = (np.array(values, dtype=float) for values in zip(*data.points, strict=True))
    fine = np.linspace(strain[1], strain[-1], 300)
    curve = np.concatenate([stress[:1], np.polyval(np.polyfit(strain[1:], stress[1:], 4), fine)])
    curve *= stress[data.ultimate] / curve.max()
    axes.plot(np.concatenate([strain[:1], fine]), curve, color=BLUE, lw=3.5, solid_joinstyle="round")
    peak = int(np.argmax(curve))
    axes.plot(fine[peak - 1], stress[data.ultimate], "o", color=RED, ms=12, zorder=5)
    add_text(axes, fine[peak - 1], stress[data.ultimate] + 22, "U", LARGE, RED, "bold")
    axes.plot(fine[-1], curve[-1], "x", color=INK, ms=12, mew=3, zorder=5)
    axes.set(xlim=(0, 25), ylim=(0, 500), xlabel="Strain (%)", ylabel="Stress (MPa)")
    axes.set_xticks(range(0, 26, 5))
    axes.set_yticks(range(0, 501, 50))
    axes.grid(visible=True)
    return figure


def draw_view(data: View) -> Figure:
    figure, axes = new_drawing(620, 540, 100)
    xs, ys = zip(*data.outline, strict=True)
    left, bottom = 50 - max(xs) / 2, 43.5 - max(ys) / 2
    corners = [(left + x, bottom + y) for x, y in data.outline]
    axes.add_patch(Polygon(corners, closed=True, fc=PALE, ec=INK, lw=3.5, joinstyle="miter"))
    for x0, y0, x1, y1 in data.edges:
        axes.plot([left + x0, left + x1], [bottom + y0, bottom + y1], color=INK, lw=3)
    for x0, y0, x1, y1, length in data.dimensions:
        add_dimension(axes, (left + x0, bottom + y0), (left + x1, bottom + y1), str(length), LARGE)
    return figure


def draw_press(data: Press) -> Figure:
    figure, axes = new_drawing(840, 560, 16.8)
    wall = {"color": INK, "lw": 4, "solid_joinstyle": "round", "solid_capstyle": "round", "zorder": 4}
    axes.add_patch(
        Polygon(
            [(2.4, 1.2), (14.8, 1.2), (14.8, 5.2), (8.4, 5.2), (8.4, 2.6), (4.2, 2.6), (4.2, 6.4), (2.4, 6.4)],
            fc=WATER,
            ec="none",
        )
    )
    axes.plot([2.4, 2.4, 14.8, 14.8], [8.4, 1.2, 1.2, 8.4], **wall)
    axes.plot([4.2, 4.2, 8.4, 8.4], [8.4, 2.6, 2.6, 8.4], **wall)
    add_box(axes, 2.45, 6.4, 1.7, 0.8, RED)
    add_box(axes, 8.45, 5.2, 6.3, 0.8, BLUE)
    add_arrow(axes, (3.3, 9.9), (3.3, 7.2), RED, 4, 28)
    add_arrow(axes, (11.6, 6.0), (11.6, 9.6), BLUE, 5, 32)
    add_text(axes, 4.3, 9.5, r"$F_1$", LARGE + 2, RED)
    add_text(axes, 12.5, 9.0, r"$F_2$", LARGE + 2, BLUE)
    add_text(axes, 6.3, 6.8, rf"$A_1$ = {data.small_area} cm²", LARGE)
    add_text(axes, 11.6, 3.4, rf"$A_2$ = {data.large_area} cm²", LARGE)
    return figure


def draw_gantt(data: Gantt) -> Figure:
    figure, axes = new_chart(900, 480)
    last = max(end for _, _, end, _ in data.tasks)
    for number, (_, start, end, colour) in enumerate(data.tasks):
        axes.barh(number, end - start, left=start, height=0.6, color=NAMED[colour], edgecolor=INK, linewidth=1.2)
    axes.set_yticks(range(len(data.tasks)), [name for name, *_ in data.tasks], fontsize=NORMAL)
    axes.set(xlim=(0, last + 2), xlabel="Week")
    axes.set_xticks(range(last + 3))
    axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x")
    return figure


DRAW = {
    Beam: draw_beam,
    GearTrain: draw_gear_train,
    StressStrain: draw_stress_strain,
    View: draw_view,
    Press: draw_press,
    Gantt: draw_gantt,
}
