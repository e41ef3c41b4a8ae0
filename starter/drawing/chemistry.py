"""Drawings of the chemistry pictures."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from starter.drawing.style import (
    BLUE,
    GREY,
    INK,
    LARGE,
    NORMAL,
    PALE,
    RED,
    SMALL,
    WATER,
    WHITE,
    YELLOW,
    add_box,
    add_text,
    draw_table,
    new_chart,
    new_drawing,
)
from starter.figures.chemistry import Cylinder, Densities, Molecule, Shells, Solubility, Titration

_ATOM_COLOURS = {"C": "#3a3f47", "O": RED, "H": "#f4f6f8"}
_ATOM_RADII = {"C": 0.62, "O": 0.62, "H": 0.42}


def draw_titration(data: Titration) -> Figure:
    figure, axes = new_chart(840, 560)
    volume = np.linspace(0, data.end, 600)
    axes.plot(volume, _strong_acid_ph(volume, data.equivalence), color=BLUE, lw=3.5)
    axes.plot(data.equivalence, 7, "o", color=RED, ms=13, zorder=5)
    axes.set(xlim=(0, data.end), ylim=(0, 14), xlabel="Volume of NaOH solution (ml)", ylabel="pH")
    axes.set_xticks(range(0, data.end + 1, 5))
    axes.set_yticks(range(0, 15, 2))
    axes.grid(visible=True)
    return figure


def _strong_acid_ph(volume: np.ndarray, equivalence: int) -> np.ndarray:
    excess = 0.1 * (equivalence - volume) / (25 + volume)
    hydrogen = excess / 2 + np.sqrt(excess**2 / 4 + 1e-14)
    return -np.log10(hydrogen)


def draw_cylinder(data: Cylinder) -> Figure:
    figure, axes = new_drawing(600, 760, 12)
    left, width, bottom, unit = 4.0, 3.4, 1.6, 0.115
    add_box(axes, left - 1.1, 0.8, width + 2.2, 0.8, "#c8d4e0", rounding=0.2)
    add_box(axes, left, bottom, width, data.level * unit, WATER, edge="none")
    axes.plot([left, left + width], [bottom + data.level * unit] * 2, color=BLUE, lw=3, zorder=5)
    axes.plot(
        [left, left, left + width, left + width], [14.0, bottom, bottom, 14.0], color=INK, lw=3, zorder=5, clip_on=False
    )
    for value in range(0, 101, 5):
        y = bottom + value * unit
        length = 1.1 if value % 10 == 0 else 0.6
        if value:
            axes.plot([left + width - length, left + width], [y, y], color=INK, lw=1.6, zorder=6)
        if value and value % 10 == 0:
            add_text(axes, left + width + 0.7, y, str(value), NORMAL)
    add_text(axes, left + width + 0.7, 14.0, "ml", NORMAL, weight="bold")
    if data.metal:
        lump = [(4.6, 1.75), (6.4, 1.75), (6.7, 2.6), (6.2, 3.5), (5.2, 3.7), (4.5, 2.9)]
        axes.add_patch(Polygon(lump, closed=True, fc="#9aa3ad", ec=INK, lw=2, zorder=4, joinstyle="round"))
    return figure


def draw_densities(data: Densities) -> Figure:
    figure, axes = new_drawing(640, 440, 12.8)
    rows = [("Metal", "Density (g/cm³)"), *((name, f"{density:.1f}") for name, density in data.rows)]
    draw_table(axes, rows, (5.4, 6.4), 1.3, 8.3)
    return figure


def draw_molecule(data: Molecule) -> Figure:
    figure, axes = new_drawing(800, 460, 9.2)
    for first, second, order in data.bonds:
        (_, x0, y0), (_, x1, y1) = data.atoms[first], data.atoms[second]
        length = math.hypot(x1 - x0, y1 - y0)
        for shift in (0.0,) if order == 1 else (-0.13, 0.13):
            dx, dy = -(y1 - y0) / length * shift, (x1 - x0) / length * shift
            axes.plot([x0 + dx, x1 + dx], [y0 + dy, y1 + dy], color=GREY, lw=7, zorder=1, solid_capstyle="round")
    for symbol, x, y in data.atoms:
        radius = _ATOM_RADII[symbol]
        axes.add_patch(Circle((x, y), radius, fc=_ATOM_COLOURS[symbol], ec=INK, lw=2, zorder=3))
        axes.add_patch(
            Circle((x - radius / 3, y + radius / 3), radius / 4.5, fc=WHITE, ec="none", alpha=0.75, zorder=4)
        )
    return figure


def draw_solubility(data: Solubility) -> Figure:
    figure, axes = new_chart(860, 620)
    for name, points, colour, below in (("X", data.red_salt, RED, False), ("Y", data.blue_salt, BLUE, True)):
        temperature, grams = zip(*points, strict=True)
        axes.plot(temperature, grams, color=colour, lw=3.5)
        add_text(axes, temperature[-1] + 2, grams[-1], name, LARGE, colour, "bold")
        for marked in data.marked:
            value = dict(points)[marked]
            axes.plot(marked, value, "o", color=colour, ms=10, zorder=5)
            shift = (
                (0, -8)
                if below and marked > 30
                else ((0, 9) if below else (-5 if marked > 30 else 4.5, -6 if marked < 30 else 4))
            )
            add_text(axes, marked + shift[0], value + shift[1], str(value), NORMAL, colour, "bold")
    axes.set(xlim=(0, 75), ylim=(0, 150), xlabel="Temperature (°C)", ylabel="Solubility (g per 100 g of water)")
    axes.set_xticks(range(0, 71, 10))
    axes.set_yticks(range(0, 151, 20))
    axes.grid(visible=True)
    return figure


def draw_shells(data: Shells) -> Figure:
    figure, axes = new_drawing(660, 660, 13.2)
    centre = (6.6, 6.6)
    for number, electrons in reversed(list(enumerate(data.electrons, start=1))):
        radius = 1.2 + 1.55 * number
        fill = PALE if number % 2 else WHITE
        axes.add_patch(Circle(centre, radius, fc=fill, ec=GREY, lw=2))
        for electron in range(electrons):
            angle = math.pi / 2 + 2 * math.pi * electron / electrons + 0.35 * number
            place = (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle))
            axes.add_patch(Circle(place, 0.27, fc=BLUE, ec=INK, lw=1.5, zorder=4))
    axes.add_patch(Circle(centre, 1.15, fc=YELLOW, ec=INK, lw=2.5, zorder=4))
    add_text(axes, *centre, "nucleus", SMALL, weight="bold")
    return figure


DRAW = {
    Titration: draw_titration,
    Cylinder: draw_cylinder,
    Densities: draw_densities,
    Molecule: draw_molecule,
    Solubility: draw_solubility,
    Shells: draw_shells,
}
