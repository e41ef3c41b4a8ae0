"""Drawings of the art and design pictures."""

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, PathPatch, Polygon, Rectangle, Wedge
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D

from starter.drawing.style import (
    BLUE,
    BROWN,
    GREEN,
    INK,
    LARGE,
    NAMED,
    NORMAL,
    RED,
    WHITE,
    YELLOW,
    add_box,
    add_dimension,
    add_text,
    new_drawing,
)
from starter.figures.art_design import Border, ColourWheel, FloorPlan, LetterHeights, Panel, Sheet


def draw_colour_wheel(data: ColourWheel) -> Figure:
    figure, axes = new_drawing(680, 680, 13.6)
    centre, step = (6.8, 6.8), 360 / len(data.fields)
    for number, colour in enumerate(data.fields):
        middle = 90 - number * step
        axes.add_patch(Wedge(centre, 5.2, middle - step / 2, middle + step / 2, width=2.9, fc=colour, ec=WHITE, lw=3))
        angle = math.radians(middle)
        add_text(
            axes,
            centre[0] + 5.85 * math.cos(angle),
            centre[1] + 5.85 * math.sin(angle),
            str(number + 1),
            LARGE,
            weight="bold",
        )
    return figure


def draw_sheet(data: Sheet) -> Figure:
    figure, axes = new_drawing(720, 480, 36)
    axes.add_patch(Rectangle((0, 10.5), 36, 13.5, fc="#e3f0fa"))
    axes.add_patch(Rectangle((0, 0), 36, 10.5, fc="#9fcbe6"))
    axes.add_patch(Circle((30, 20.5), 1.6, fc=YELLOW, ec="#e0a92e", lw=2))
    _add_boat(axes, *data.boat, NAMED[data.hull])
    for share in (1 / 3, 2 / 3):
        axes.plot([36 * share] * 2, [0, 24], color=INK, lw=1.8, ls=(0, (6, 5)), zorder=5)
        axes.plot([0, 36], [24 * share] * 2, color=INK, lw=1.8, ls=(0, (6, 5)), zorder=5)
    axes.add_patch(Rectangle((0.15, 0.15), 35.7, 23.7, fill=False, ec=INK, lw=4, zorder=6))
    return figure


def _add_boat(axes: Axes, x: float, y: float, colour: str) -> None:
    """The boat's middle lies at (x, y)."""
    hull = [(x - 2.6, y - 0.6), (x + 2.6, y - 0.6), (x + 1.7, y - 2.2), (x - 1.7, y - 2.2)]
    axes.add_patch(Polygon(hull, closed=True, fc=colour, ec=INK, lw=2, zorder=3))
    axes.plot([x, x], [y - 0.6, y + 2.6], color=BROWN, lw=4, zorder=3)
    axes.add_patch(Polygon([(x + 0.15, y + 2.5), (x + 0.15, y), (x + 2.1, y)], fc=WHITE, ec=INK, lw=2, zorder=3))


def draw_letter_heights(data: LetterHeights) -> Figure:
    figure, axes = new_drawing(860, 480, 86)
    base = 13
    _add_letters(axes, "Hx", base, data)
    for height, colour, x in ((0, BLUE, 8), (data.x_height, GREEN, 8), (data.capital_height, RED, 8)):
        axes.plot([x, 84], [base + height] * 2, color=colour, lw=3, zorder=1)
    for x, height in ((68, data.x_height), (78.5, data.capital_height)):
        add_dimension(axes, (x, base), (x, base + height), f"{height} mm", NORMAL)
    return figure


def _add_letters(axes: Axes, text: str, base: float, data: LetterHeights) -> None:
    """Each letter is scaled to stand on the base line and reach its own line."""
    left = 14.0
    for letter, height in zip(text, (data.capital_height, data.x_height), strict=True):
        path = TextPath((0, 0), letter, size=30, prop=FontProperties(family="DejaVu Serif", weight="bold"))
        box = path.get_extents()
        scale = height / box.height
        move = Affine2D().translate(-box.x0, -box.y0).scale(1.15 * scale, scale).translate(left, base)
        axes.add_patch(PathPatch(path.transformed(move), fc=INK, ec="none", zorder=2))
        left += box.width * scale * 1.15 + 4


def draw_floor_plan(data: FloorPlan) -> Figure:
    figure, axes = new_drawing(900, 660, 18)
    for name, x, y, width, depth, colour in data.halls:
        left, bottom = 2 + x, 1.6 + y
        add_box(axes, left, bottom, width, depth, NAMED[colour], line=5, alpha=0.55)
        add_box(axes, left, bottom, width, depth, "none", line=5)
        add_text(axes, left + width / 2, bottom + depth / 2, name, LARGE + 9, weight="bold")
        upper = y + depth == 10
        add_text(axes, left + width / 2, bottom + (depth + 0.55 if upper else -0.55), f"{width} m", NORMAL)
        outer = x == 0
        add_text(axes, left + (-0.95 if outer else width + 0.95), bottom + depth / 2, f"{depth} m", NORMAL)
    return figure


def draw_border(data: Border) -> Figure:
    shapes = data.motif * data.repeats
    figure, axes = new_drawing(110 * len(shapes), 270, 2 * len(shapes) + 1)
    add_box(axes, 0.2, 0.7, 2 * len(shapes) + 0.6, 3.8, "#faf4e6", edge=BROWN, line=4)
    for number, (shape, colour) in enumerate(shapes):
        _add_shape(axes, shape, 2 * number + 1.5, 2.6, NAMED[colour])
    return figure


def _add_shape(axes: Axes, shape: str, x: float, y: float, colour: str) -> None:
    match shape:
        case "circle":
            axes.add_patch(Circle((x, y), 0.75, fc=colour, ec=INK, lw=2, zorder=3))
        case "square":
            add_box(axes, x - 0.7, y - 0.7, 1.4, 1.4, colour)
        case _:
            corners = [(x - 0.8, y - 0.7), (x + 0.8, y - 0.7), (x, y + 0.75)]
            axes.add_patch(Polygon(corners, closed=True, fc=colour, ec=INK, lw=2, zorder=3, joinstyle="round"))


def draw_panel(data: Panel) -> Figure:
    size = len(data.rows)
    figure, axes = new_drawing(600, 600, size + 0.4)
    for row, colours in enumerate(data.rows):
        for column, colour in enumerate(colours):
            add_box(axes, 0.2 + column, 0.2 + size - 1 - row, 1, 1, NAMED[colour], line=5)
    return figure


DRAW = {
    ColourWheel: draw_colour_wheel,
    Sheet: draw_sheet,
    LetterHeights: draw_letter_heights,
    FloorPlan: draw_floor_plan,
    Border: draw_border,
    Panel: draw_panel,
}
