"""Drawings of the biology and medicine pictures."""

import math
import random

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Ellipse

from starter.drawing.style import (
    BLUE,
    GREEN,
    INK,
    LARGE,
    NORMAL,
    PURPLE,
    RED,
    WHITE,
    add_arrow,
    add_box,
    add_text,
    new_chart,
    new_drawing,
)
from starter.figures.biology_medicine import (
    DrugCurve,
    Electrocardiogram,
    FoodWeb,
    MicroscopeField,
    Pedigree,
    Person,
    PlantCell,
)

_HALF_WIDTH, _HALF_HEIGHT = 1.18, 0.48


def draw_pedigree(data: Pedigree) -> Figure:
    figure, axes = new_drawing(800, 520, 16)
    parents = [person for person in data.people if person.parents is None]
    children = [person for person in data.people if person.parents]
    children_x = [3 + 5 * number for number in range(len(children))]
    axes.plot([5.5, 10.5], [8, 8], color=INK, lw=2.5, zorder=1)
    axes.plot([8, 8], [8, 5.4], color=INK, lw=2.5, zorder=1)
    axes.plot([children_x[0], children_x[-1]], [5.4, 5.4], color=INK, lw=2.5, zorder=1)
    for x in children_x:
        axes.plot([x, x], [5.4, 3], color=INK, lw=2.5, zorder=1)
    for person, x in zip(parents, (5.5, 10.5), strict=True):
        _add_person(axes, person, x, 8)
    for person, x in zip(children, children_x, strict=True):
        _add_person(axes, person, x, 3)
    return figure


def _add_person(axes: Axes, person: Person, x: float, y: float) -> None:
    colour = RED if person.affected else WHITE
    if person.sex == "male":
        add_box(axes, x - 0.9, y - 0.9, 1.8, 1.8, colour, line=3)
    else:
        axes.add_patch(Circle((x, y), 1.0, fc=colour, ec=INK, lw=3, zorder=2))
    add_text(axes, x, y - 1.6, person.name, NORMAL, weight="bold", box=True)


def draw_food_web(data: FoodWeb) -> Figure:
    figure, axes = new_drawing(840, 530, 10.2)
    places = {name: (x, y) for name, x, y in data.places}
    colours = {"Grass": "#bfe3ca", "Hawk": "#f3c3c6", "Snake": "#f6e2a8"}
    for food, eater in data.links:
        start, end = _rim(places[food], places[eater]), _rim(places[eater], places[food])
        add_arrow(axes, start, end, INK, 2.4, 24)
    for name, (x, y) in places.items():
        axes.add_patch(
            Ellipse((x, y), 2 * _HALF_WIDTH, 2 * _HALF_HEIGHT, fc=colours.get(name, "#d8e6f5"), ec=INK, lw=2, zorder=5)
        )
        add_text(axes, x, y, name, NORMAL)
    return figure


def _rim(centre: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """The point of an oval's rim, with a small gap, in the direction of another one."""
    dx, dy = towards[0] - centre[0], towards[1] - centre[1]
    share = 1.06 / math.hypot(dx / _HALF_WIDTH, dy / _HALF_HEIGHT)
    return centre[0] + share * dx, centre[1] + share * dy


def draw_plant_cell(data: PlantCell) -> Figure:
    figure, axes = new_drawing(860, 620, 17.2)
    add_box(axes, 2.6, 1.6, 12, 9.2, "#a8d08d", edge="#4d7c2f", rounding=1.2, line=4)
    add_box(axes, 3.0, 2.0, 11.2, 8.4, "#eef7e4", edge="#7fae5c", rounding=1.0, line=2)
    axes.add_patch(Ellipse((9.9, 6.0), 6.4, 4.6, fc="#cfe6f7", ec=BLUE, lw=2.5, zorder=3))
    axes.add_patch(Circle((5.0, 8.3), 1.25, fc="#d9c7ee", ec=PURPLE, lw=3, zorder=3))
    axes.add_patch(Circle((5.0, 8.3), 0.42, fc=PURPLE, ec="none", zorder=4))
    for x, y, angle in ((8.0, 9.3, 8), (12.4, 9.3, -20), (4.4, 5.4, 80), (9.6, 2.9, 4)):
        axes.add_patch(Ellipse((x, y), 1.9, 0.95, angle=angle, fc=GREEN, ec="#1d6b3c", lw=2, zorder=4))
        axes.add_patch(Ellipse((x, y), 1.1, 0.3, angle=angle, fc="#1d6b3c", ec="none", zorder=5))
    for x, y, angle in ((5.2, 3.2, 15), (13.2, 3.3, -35)):
        axes.add_patch(Ellipse((x, y), 1.7, 0.8, angle=angle, fc="#f6b26b", ec="#b45f06", lw=2, zorder=4))
        turns = np.linspace(-0.6, 0.6, 40)
        wave = 0.16 * np.sin(turns * 16)
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        axes.plot(x + c * turns - s * wave, y + s * turns + c * wave, color="#b45f06", lw=2, zorder=5)
    targets = {
        "cell wall": ((14.4, 8.8), (15.9, 9.6)),
        "nucleus": ((4.6, 8.4), (1.2, 9.6)),
        "vacuole": ((12.2, 6.0), (15.9, 6.0)),
        "chloroplast": ((4.3, 5.2), (1.2, 5.2)),
        "mitochondrion": ((4.8, 3.1), (1.2, 1.4)),
    }
    for letter, structure in data.labels:
        tip, place = targets[structure]
        axes.plot([tip[0], place[0]], [tip[1], place[1]], color=INK, lw=2, zorder=6)
        axes.plot(*tip, "o", color=INK, ms=6, zorder=6)
        axes.add_patch(Circle(place, 0.62, fc=WHITE, ec=INK, lw=2, zorder=7))
        axes.text(*place, letter, fontsize=LARGE, fontweight="bold", ha="center", va="center", zorder=8)
    return figure


def draw_electrocardiogram(data: Electrocardiogram) -> Figure:
    columns = data.squares_between_peaks * data.peaks
    figure, axes = new_drawing(columns * 55, 385, columns)
    for x in np.arange(0, columns + 0.1, 0.2):
        axes.plot([x, x], [0, 7], color="#f8d9dc", lw=0.6, zorder=0)
    for y in np.arange(0, 7.1, 0.2):
        axes.plot([0, columns], [y, y], color="#f8d9dc", lw=0.6, zorder=0)
    for x in range(columns + 1):
        axes.plot([x, x], [0, 7], color="#ec9aa2", lw=1.4, zorder=1)
    for y in range(8):
        axes.plot([0, columns], [y, y], color="#ec9aa2", lw=1.4, zorder=1)
    time = np.linspace(0, columns, 4000)
    axes.plot(time, 2.6 + _heart_beat(time, data), color="#c1121f", lw=2.4, zorder=3, solid_joinstyle="round")
    return figure


def _heart_beat(time: np.ndarray, data: Electrocardiogram) -> np.ndarray:
    signal = np.zeros_like(time)
    for peak in range(data.peaks):
        at = time - (2 + peak * data.squares_between_peaks)
        for height, shift, width in (
            (0.45, -0.8, 0.18),
            (-0.5, -0.17, 0.06),
            (3.6, 0, 0.075),
            (-0.8, 0.18, 0.07),
            (0.75, 1.2, 0.3),
        ):
            signal += height * np.exp(-(((at - shift) / width) ** 2) / 2)
    return signal


def draw_microscope_field(data: MicroscopeField) -> Figure:
    figure, axes = new_drawing(620, 620, 12.4)
    axes.add_patch(Circle((6.2, 6.2), 5.8, fc="#f3f7ee", ec=INK, lw=5))
    for number, (x, y) in enumerate(_spread(data.cells)):
        angle = (number * 67) % 180
        axes.add_patch(Ellipse((x, y), 0.95, 0.7, angle=angle, fc="#5dbb7b", ec="#1d6b3c", lw=2, zorder=3))
        axes.add_patch(Circle((x, y), 0.14, fc="#1d6b3c", ec="none", zorder=4))
    return figure


def _spread(count: int) -> list[tuple[float, float]]:
    """Places in the field that do not touch one another."""
    stream = random.Random(count)
    places: list[tuple[float, float]] = []
    while len(places) < count:
        angle, radius = stream.uniform(0, 2 * math.pi), 5.0 * math.sqrt(stream.random())
        place = (6.2 + radius * math.cos(angle), 6.2 + radius * math.sin(angle))
        if all(math.dist(place, other) > 1.25 for other in places):
            places.append(place)
    return places


def draw_drug_curve(data: DrugCurve) -> Figure:
    figure, axes = new_chart(860, 560)
    time = np.linspace(0, data.hours, 400)
    axes.plot(time, data.start * 0.5 ** (time / data.half_life), color=BLUE, lw=3.5)
    axes.axhline(data.minimum, color=RED, lw=2.5, ls="--")
    axes.set(
        xlim=(0, data.hours), ylim=(0, data.start + 5), xlabel="Time after the dose (h)", ylabel="Concentration (mg/l)"
    )
    axes.set_xticks(range(data.hours + 1))
    axes.set_yticks(range(0, data.start + 6, 5))
    axes.grid(visible=True)
    return figure


DRAW = {
    Pedigree: draw_pedigree,
    FoodWeb: draw_food_web,
    PlantCell: draw_plant_cell,
    Electrocardiogram: draw_electrocardiogram,
    MicroscopeField: draw_microscope_field,
    DrugCurve: draw_drug_curve,
}
