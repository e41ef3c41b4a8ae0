"""One look for all pictures: the palette whose names the texts use, canvases measured in pixels, and a few marks that
several subjects share. DejaVu is the only font, so that every machine draws the same picture."""

from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

RED = "#d62f3c"
BLUE = "#2368b5"
GREEN = "#2c9a58"
ORANGE = "#f08a24"
YELLOW = "#f6c945"
PURPLE = "#7a4bb3"
BROWN = "#8a5a33"
GREY = "#8a94a3"
PALE = "#eef1f5"
INK = "#1f2933"
WATER = "#a9d3f0"
WHITE = "#ffffff"
NAMED = {
    "red": RED,
    "blue": BLUE,
    "green": GREEN,
    "orange": ORANGE,
    "yellow": YELLOW,
    "purple": PURPLE,
    "brown": BROWN,
    "grey": GREY,
    "white": WHITE,
    "black": INK,
}
DOTS_PER_INCH = 100
SMALL, NORMAL, LARGE = 14, 17, 21

mpl.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": NORMAL,
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.linewidth": 1.2,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.titlepad": 14,
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "grid.color": "#d5dae1",
        "grid.linewidth": 0.9,
        "legend.frameon": False,
        "figure.facecolor": WHITE,
    }
)


def new_chart(width: int, height: int) -> tuple[Figure, Axes]:
    """Axes with ticks and labels, in pixels."""
    figure = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH), dpi=DOTS_PER_INCH, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15)
    return figure, figure.add_subplot()


def new_drawing(width: int, height: int, units: float) -> tuple[Figure, Axes]:
    """Bare axes that fill the picture: x runs from 0 to `units`, y from 0 in the same scale."""
    figure = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH), dpi=DOTS_PER_INCH)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, units)
    axes.set_ylim(0, units * height / width)
    axes.set_aspect("equal")
    axes.axis("off")
    return figure, axes


def add_arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = INK,
    width: float = 2.5,
    head: float = 20,
    both: bool = False,
    bend: float = 0.0,
    shrink: float = 0.0,
) -> None:
    axes.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="<|-|>" if both else "-|>",
            mutation_scale=head,
            lw=width,
            color=colour,
            shrinkA=shrink,
            shrinkB=shrink,
            connectionstyle=f"arc3,rad={bend}",
            zorder=4,
        )
    )


def add_text(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    size: float = NORMAL,
    colour: str = INK,
    weight: str = "normal",
    ha: str = "center",
    va: str = "center",
    box: bool = False,
    style: str = "normal",
) -> None:
    """`box` puts white behind the text, so that a line below does not cross it."""
    background = {"facecolor": WHITE, "edgecolor": "none", "pad": 2.5} if box else None
    axes.text(
        x,
        y,
        text,
        fontsize=size,
        color=colour,
        fontweight=weight,
        ha=ha,
        va=va,
        bbox=background,
        fontstyle=style,
        zorder=6,
    )


def add_box(
    axes: Axes,
    x: float,
    y: float,
    width: float,
    height: float,
    colour: str,
    edge: str = INK,
    rounding: float = 0.0,
    line: float = 2.0,
    alpha: float = 1.0,
) -> None:
    """A box with its lower left corner at (x, y)."""
    shape = f"round,pad=0,rounding_size={rounding}" if rounding else "square,pad=0"
    axes.add_patch(
        FancyBboxPatch((x, y), width, height, boxstyle=shape, fc=colour, ec=edge, lw=line, alpha=alpha, zorder=2)
    )


def add_dimension(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], text: str, size: float = NORMAL
) -> None:
    """A measuring line with arrow heads at both ends and its length in the middle."""
    add_arrow(axes, start, end, GREY, width=1.6, head=14, both=True)
    add_text(axes, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, text, size=size, box=True)


def draw_table(axes: Axes, rows: Sequence[Sequence[str]], widths: Sequence[float], height: float, top: float) -> None:
    """Rows of centred cells from x = 0.5 on; the first row is the head."""
    for number, row in enumerate(rows):
        x = 0.5
        y = top - (number + 1) * height
        for cell, width in zip(row, widths, strict=True):
            head = number == 0
            colour = BLUE if head else (PALE if number % 2 == 0 else WHITE)
            add_box(axes, x, y, width, height, colour, edge=GREY, line=1.2)
            add_text(
                axes,
                x + width / 2,
                y + height / 2,
                cell,
                colour=WHITE if head else INK,
                weight="bold" if head else "normal",
            )
            x += width
