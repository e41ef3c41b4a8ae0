"""What the pictures of the mathematics questions show."""

from typing import NamedTuple


class RightTriangle(NamedTuple):
    """Right angle at B; lengths of AB (upright) and BC (level)."""

    ab: int
    bc: int
    unit: str


class ParabolaAndLine(NamedTuple):
    """y = a x² + b x + c in blue and y = slope x + intercept in red, over x and y ranges."""

    a: int
    b: int
    c: int
    slope: int
    intercept: int
    x_range: tuple[int, int]
    y_range: tuple[int, int]


class CircleWithChord(NamedTuple):
    """Chord AB in blue, C its middle, OC in red; lengths in cm."""

    ab: int
    oc: int


class Venn(NamedTuple):
    """Numbers inside circle A alone, both, circle B alone."""

    only_a: int
    both: int
    only_b: int


class Net(NamedTuple):
    """Unit squares at (column, row), row counted downwards; the first is green."""

    squares: tuple[tuple[int, int], ...]


TURF = RightTriangle(ab=9, bc=12, unit="m")
GRAPHS = ParabolaAndLine(a=1, b=-2, c=-1, slope=-1, intercept=1, x_range=(-3, 5), y_range=(-4, 6))
TABLETOP = CircleWithChord(ab=24, oc=5)
CLUBS = Venn(only_a=14, both=6, only_b=11)
NETS = (
    Net(squares=((1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2))),
    Net(squares=((1, 1), (0, 0), (0, 1), (2, 1), (3, 1), (3, 2))),
    Net(squares=((2, 1), (0, 1), (1, 1), (3, 1), (1, 0), (3, 0))),
)

PICTURES: dict[str, NamedTuple] = {
    "mathematics-turf": TURF,
    "mathematics-graphs": GRAPHS,
    "mathematics-tabletop": TABLETOP,
    "mathematics-clubs": CLUBS,
    "mathematics-nets-1": NETS[0],
    "mathematics-nets-2": NETS[1],
    "mathematics-nets-3": NETS[2],
}
