"""What the pictures of the art and design questions show."""

from typing import NamedTuple


class ColourWheel(NamedTuple):
    """Twelve fields, numbered clockwise from the top; RGB as #rrggbb."""

    fields: tuple[str, ...]


class Sheet(NamedTuple):
    """A boat at (x, y) on a sheet of 36 by 24 units that is divided into thirds by dashed lines; hull colour."""

    boat: tuple[float, float]
    hull: str


class LetterHeights(NamedTuple):
    """Heights in mm above the blue base line: green x-height and red capital height."""

    x_height: int
    capital_height: int


class FloorPlan(NamedTuple):
    """Hall, left, bottom, width, depth in m, colour."""

    halls: tuple[tuple[str, int, int, int, int, str], ...]


class Border(NamedTuple):
    """Shapes of one repeat from left to right as (shape, colour), and how many repeats are drawn."""

    motif: tuple[tuple[str, str], ...]
    repeats: int


class Panel(NamedTuple):
    """Colours of the fields, row by row from the top."""

    rows: tuple[tuple[str, ...], ...]


WHEEL = ColourWheel(
    fields=(
        "#fde725",
        "#fdb827",
        "#f7861f",
        "#ee5a24",
        "#d7263d",
        "#a6266e",
        "#6f2c91",
        "#433a9b",
        "#1f5fb4",
        "#159aa5",
        "#3aa655",
        "#9ccc3c",
    )
)
SHEETS = (Sheet(boat=(18, 8), hull="red"), Sheet(boat=(6, 5), hull="red"), Sheet(boat=(24, 8), hull="red"))
LETTERS = LetterHeights(x_height=12, capital_height=20)
MUSEUM = FloorPlan(
    halls=(
        ("A", 0, 5, 6, 5, "blue"),
        ("B", 6, 6, 8, 4, "green"),
        ("C", 0, 0, 9, 3, "yellow"),
        ("D", 9, 0, 5, 5, "orange"),
    )
)
BORDER = Border(motif=(("circle", "red"), ("square", "blue"), ("circle", "red"), ("triangle", "yellow")), repeats=2)
OLD_PANEL = Panel(
    rows=(
        ("red", "white", "blue", "yellow"),
        ("white", "yellow", "white", "red"),
        ("blue", "white", "red", "white"),
        ("yellow", "blue", "white", "blue"),
    )
)
NEW_PANEL = Panel(
    rows=(
        ("red", "white", "yellow", "yellow"),
        ("white", "blue", "white", "red"),
        ("blue", "red", "red", "white"),
        ("white", "blue", "white", "red"),
    )
)

PICTURES: dict[str, NamedTuple] = {
    "art-wheel": WHEEL,
    "art-sheets-1": SHEETS[0],
    "art-sheets-2": SHEETS[1],
    "art-sheets-3": SHEETS[2],
    "art-letters": LETTERS,
    "art-museum": MUSEUM,
    "art-border": BORDER,
    "art-panel-1": OLD_PANEL,
    "art-panel-2": NEW_PANEL,
}
