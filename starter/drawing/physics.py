"""Drawings of the physics pictures."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, Ellipse, Polygon

from starter.drawing.style import (
    BLUE,
    BROWN,
    GREEN,
    GREY,
    INK,
    LARGE,
    NORMAL,
    PALE,
    RED,
    WHITE,
    YELLOW,
    add_arrow,
    add_box,
    add_text,
    new_chart,
    new_drawing,
)
from starter.figures.physics import Carts, Circuit, Incline, Lens, Lever, SpeedTime


def draw_incline(data: Incline) -> Figure:
    figure, axes = new_drawing(800, 560, 16)
    angle = math.radians(data.angle)
    foot, end = (1.2, 1.4), (14.6, 1.4)
    top = (end[0], foot[1] + (end[0] - foot[0]) * math.tan(angle))
    axes.add_patch(Polygon([foot, end, top], closed=True, fc="#bfe3ca", ec=GREEN, lw=3, joinstyle="round"))
    axes.plot([0.4, 15.6], [1.4, 1.4], color=INK, lw=2.5)
    axes.add_patch(Arc(foot, 5, 5, theta1=0, theta2=data.angle, color=INK, lw=2))
    add_text(axes, foot[0] + 3.5, foot[1] + 0.85, f"{data.angle}°", LARGE, weight="bold")
    along, up = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    base = (foot[0] + 9 * along[0], foot[1] + 9 * along[1])
    corners = [
        (base[0] + s * along[0] + t * up[0], base[1] + s * along[1] + t * up[1])
        for s, t in ((-1.3, 0), (1.3, 0), (1.3, 1.8), (-1.3, 1.8))
    ]
    axes.add_patch(Polygon(corners, closed=True, fc="#d9a066", ec=BROWN, lw=3, joinstyle="round", zorder=3))
    centre = (base[0] + 0.9 * up[0], base[1] + 0.9 * up[1])
    axes.plot(*centre, "o", color=INK, ms=7, zorder=5)
    add_arrow(axes, centre, (centre[0], centre[1] - 3.6), RED, 4, 26)
    add_text(axes, centre[0] + 0.7, centre[1] - 3.1, "W", LARGE, RED, "bold")
    normal = (centre[0] + 3.1 * up[0], centre[1] + 3.1 * up[1])
    add_arrow(axes, centre, normal, BLUE, 4, 26)
    add_text(axes, normal[0] - 0.7, normal[1] - 0.1, "N", LARGE, BLUE, "bold")
    return figure


def draw_circuit(data: Circuit) -> Figure:
    figure, axes = new_drawing(840, 560, 16.8)
    wire = {"color": INK, "lw": 2.5, "solid_capstyle": "round", "zorder": 1}
    axes.plot([2, 2, 10.2], [6.0, 9.2, 9.2], **wire)
    axes.plot([2, 2, 14.6, 14.6, 10.2], [5.2, 1.6, 1.6, 9.2, 9.2], **wire)
    axes.plot([10.2, 10.2, 14.6], [9.2, 1.6, 1.6], **wire)
    axes.plot([1.2, 2.8], [6.0, 6.0], color=INK, lw=3)
    axes.plot([1.55, 2.45], [5.2, 5.2], color=INK, lw=7, solid_capstyle="butt")
    add_text(axes, 3.3, 6.3, "+", LARGE)
    add_text(axes, 3.9, 5.5, f"{data.voltage} V", LARGE, ha="left", weight="bold")
    add_box(axes, 4.6, 8.65, 2.8, 1.1, YELLOW, rounding=0.1)
    add_text(axes, 6, 10.35, rf"$R_1$ = {data.r1} Ω", LARGE)
    add_box(axes, 9.65, 4.0, 1.1, 2.8, "#9cc3ea", rounding=0.1)
    add_text(axes, 9.3, 5.4, rf"$R_2$ = {data.r2} Ω", LARGE, ha="right")
    add_box(axes, 14.05, 4.0, 1.1, 2.8, "#f0a3a9", rounding=0.1)
    add_text(axes, 13.75, 5.4, rf"$R_3$ = {data.r3} Ω", LARGE, ha="right")
    for y in (9.2, 1.6):
        axes.plot(10.2, y, "o", color=INK, ms=9, zorder=3)
    return figure


def draw_speed_time(data: SpeedTime) -> Figure:
    figure, axes = new_chart(860, 540)
    times, speeds = zip(*data.corners, strict=True)
    axes.plot(times, speeds, color=RED, lw=3.5, solid_joinstyle="round")
    axes.set(xlim=(0, 55), ylim=(0, 20), xlabel="Time (s)", ylabel="Speed (m/s)")
    axes.set_xticks(range(0, 56, 5))
    axes.set_yticks(range(0, 21, 5))
    axes.grid(visible=True)
    return figure


def draw_lens(data: Lens) -> Figure:
    figure, axes = new_drawing(900, 520, 18)
    lens = 9.5
    axes.set_xlim(0, 18)
    for x in np.arange(0.5, 18, 1):
        axes.plot([x, x], [0, 10.4], color="#d5dae1", lw=0.9, zorder=0)
    for y in np.arange(0.2, 10.4, 1):
        axes.plot([0, 18], [y, y], color="#d5dae1", lw=0.9, zorder=0)
    axis = 5.2
    axes.plot([0.3, 17.7], [axis, axis], color=INK, lw=1.6, ls=(0, (9, 3, 2, 3)))
    axes.add_patch(Ellipse((lens, axis), 0.9, 8, fc="#cfe6f7", ec=BLUE, lw=2.5, zorder=2))
    for side in (-1, 1):
        x = lens + side * data.focal_squares
        axes.plot(x, axis, "o", color=RED, ms=11, zorder=5)
        add_text(axes, x, axis - 0.75, "F", LARGE, RED, "bold", box=True)
    x = lens - data.object_squares
    add_arrow(axes, (x, axis), (x, axis + 2), BLUE, 5, 26)
    add_text(axes, x - 0.6, axis + 2, "A", LARGE, weight="bold", box=True)
    add_text(axes, x - 0.1, axis - 0.6, "B", LARGE, weight="bold", box=True)
    add_text(axes, lens, axis + 4.5, "L", LARGE, weight="bold", box=True)
    return figure


def draw_lever(data: Lever) -> Figure:
    figure, axes = new_drawing(860, 480, 17.2)
    pivot, beam = 8.6, 4.2
    step = 1.7
    axes.plot([0.6, 16.6], [1.0, 1.0], color=INK, lw=3)
    axes.add_patch(Polygon([(pivot - 1.2, 1.0), (pivot + 1.2, 1.0), (pivot, beam)], fc=GREY, ec=INK, lw=2))
    add_box(axes, pivot - 4.4 * step, beam, 8.8 * step, 0.5, "#e3c9a0", rounding=0.1)
    for mark in range(-4, 5):
        x = pivot + mark * step
        axes.plot([x, x], [beam, beam + 0.5], color=INK, lw=2, zorder=3)
    for mark, colour, name in ((-data.blue_marks, BLUE, "P"), (data.red_marks, RED, "Q")):
        x = pivot + mark * step
        add_box(axes, x - 0.8, beam + 0.5, 1.6, 1.9, colour, rounding=0.12)
        add_text(axes, x, beam + 1.45, name, LARGE, WHITE, "bold")
    add_text(axes, pivot + 0.75, beam - 0.6, "O", LARGE, weight="bold")
    return figure


def draw_carts(data: Carts) -> Figure:
    figure, axes = new_drawing(860, 400, 17.2)
    add_box(axes, 0.4, 0.7, 16.4, 0.5, GREY, line=1.2)
    if data.coupled:
        _add_cart(axes, 5.0, BLUE)
        _add_cart(axes, 8.6, RED)
        _add_speed(axes, 8.4, data.blue_speed, 2.0)
    else:
        _add_cart(axes, 1.6, BLUE)
        _add_cart(axes, 10.6, RED)
        _add_speed(axes, 3.4, data.blue_speed, 3.6)
        _add_speed(axes, 12.4, data.red_speed, 0)
    return figure


def _add_cart(axes: Axes, left: float, colour: str) -> None:
    add_box(axes, left, 2.0, 3.6, 2.2, colour, rounding=0.2)
    for x in (left + 0.8, left + 2.8):
        axes.add_patch(Circle((x, 1.75), 0.55, fc=INK, ec=INK, zorder=3))
        axes.add_patch(Circle((x, 1.75), 0.2, fc=PALE, ec=INK, zorder=4))


def _add_speed(axes: Axes, x: float, speed: float, length: float) -> None:
    if length:
        add_arrow(axes, (x - length / 2, 5.1), (x + length / 2, 5.1), INK, 3, 24)
    add_text(axes, x, 6.0 if length else 5.1, f"v = {speed:g} m/s", NORMAL + 3)


DRAW = {
    Incline: draw_incline,
    Circuit: draw_circuit,
    SpeedTime: draw_speed_time,
    Lens: draw_lens,
    Lever: draw_lever,
    Carts: draw_carts,
}
