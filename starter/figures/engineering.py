"""What the pictures of the engineering questions show."""

from typing import NamedTuple


class Beam(NamedTuple):
    """Distances in m from support A to the load and to support B."""

    load_at: int
    span: int


class GearTrain(NamedTuple):
    """Teeth of the blue, grey and red wheel, each meshing with the next."""

    teeth: tuple[int, int, int]


class StressStrain(NamedTuple):
    """Points of the blue curve as (strain in %, stress in MPa); `ultimate` is the index of the marked highest one."""

    points: tuple[tuple[float, int], ...]
    ultimate: int


class View(NamedTuple):
    """One view of the part: outline corners and hidden or visible edges in mm, with dimensions as
    (x0, y0, x1, y1, length)."""

    outline: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int, int, int], ...]
    dimensions: tuple[tuple[int, int, int, int, int], ...]


class Press(NamedTuple):
    """Areas of the small and the large piston in cm²."""

    small_area: int
    large_area: int


class Gantt(NamedTuple):
    """Task, start and end in weeks, colour; `needs` as (task, task that must be finished first)."""

    tasks: tuple[tuple[str, int, int, str], ...]
    needs: tuple[tuple[str, str], ...]


BEAM = Beam(load_at=2, span=6)
GEARS = GearTrain(teeth=(20, 35, 60))
STEEL = StressStrain(
    points=((0, 0), (0.4, 250), (1, 275), (3, 340), (6, 400), (10, 438), (14, 450), (18, 440), (22, 405)),
    ultimate=6,
)
WIDTH, HEIGHT, DEPTH, FOOT, POST = 60, 50, 30, 20, 20
FRONT = View(
    outline=((0, 0), (WIDTH, 0), (WIDTH, FOOT), (POST, FOOT), (POST, HEIGHT), (0, HEIGHT)),
    edges=(),
    dimensions=(
        (0, -9, WIDTH, -9, WIDTH),
        (0, HEIGHT + 9, POST, HEIGHT + 9, POST),
        (WIDTH + 9, 0, WIDTH + 9, FOOT, FOOT),
        (-9, 0, -9, HEIGHT, HEIGHT),
    ),
)
LEFT = View(
    outline=((0, 0), (DEPTH, 0), (DEPTH, HEIGHT), (0, HEIGHT)),
    edges=(),
    dimensions=((0, -9, DEPTH, -9, DEPTH), (-9, 0, -9, HEIGHT, HEIGHT)),
)
TOP = View(
    outline=((0, 0), (WIDTH, 0), (WIDTH, DEPTH), (0, DEPTH)),
    edges=((POST, 0, POST, DEPTH),),
    dimensions=((0, -9, WIDTH, -9, WIDTH), (-9, 0, -9, DEPTH, DEPTH)),
)
PRESS = Press(small_area=20, large_area=200)
REPAIR = Gantt(
    tasks=(
        ("Survey", 0, 2, "grey"),
        ("Design", 2, 5, "blue"),
        ("Steel order", 5, 9, "green"),
        ("Foundations", 5, 8, "orange"),
        ("Assembly", 9, 12, "purple"),
    ),
    needs=(
        ("Design", "Survey"),
        ("Steel order", "Design"),
        ("Foundations", "Design"),
        ("Assembly", "Steel order"),
        ("Assembly", "Foundations"),
    ),
)

PICTURES: dict[str, NamedTuple] = {
    "engineering-beam": BEAM,
    "engineering-gears": GEARS,
    "engineering-steel": STEEL,
    "engineering-views-1": FRONT,
    "engineering-views-2": LEFT,
    "engineering-views-3": TOP,
    "engineering-press": PRESS,
    "engineering-repair": REPAIR,
}
