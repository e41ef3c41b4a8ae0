"""What the pictures of the physics questions show."""

from typing import NamedTuple


class Incline(NamedTuple):
    """A crate at rest on a green ramp; angle in degrees."""

    angle: int


class Circuit(NamedTuple):
    """R1 in series with R2 and R3 in parallel; volts and ohms."""

    voltage: int
    r1: int
    r2: int
    r3: int


class SpeedTime(NamedTuple):
    """Corners of the red line: time in s, speed in m/s."""

    corners: tuple[tuple[int, int], ...]


class Lens(NamedTuple):
    """Squares of the grid from the lens to the object and to each focal point."""

    object_squares: int
    focal_squares: int


class Lever(NamedTuple):
    """Marks from the pivot to the blue block (left) and to the red block (right)."""

    blue_marks: int
    red_marks: int


class Carts(NamedTuple):
    """Speeds in m/s to the right; one number for both carts when they are coupled."""

    blue_speed: float
    red_speed: float
    coupled: bool


RAMP = Incline(angle=30)
RESISTORS = Circuit(voltage=12, r1=4, r2=12, r3=6)
TRAM = SpeedTime(corners=((0, 0), (10, 15), (40, 15), (50, 0)))
LENS = Lens(object_squares=6, focal_squares=2)
LEVER = Lever(blue_marks=3, red_marks=2)
BEFORE = Carts(blue_speed=6.0, red_speed=0.0, coupled=False)
AFTER = Carts(blue_speed=1.5, red_speed=1.5, coupled=True)

PICTURES: dict[str, NamedTuple] = {
    "physics-ramp": RAMP,
    "physics-resistors": RESISTORS,
    "physics-tram": TRAM,
    "physics-lens": LENS,
    "physics-lever": LEVER,
    "physics-carts-1": BEFORE,
    "physics-carts-2": AFTER,
}
