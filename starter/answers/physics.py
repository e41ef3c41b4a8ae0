"""Checks of the physics questions."""

import math

from starter.answers.expected import Expected
from starter.figures.physics import AFTER, BEFORE, LENS, LEVER, RAMP, RESISTORS, TRAM


def expected() -> dict[str, Expected]:
    return {
        "physics-ramp": _ramp(mass=8, fall=10),
        "physics-resistors": _resistors(seconds=20),
        "physics-tram": _tram(),
        "physics-carts": _carts(blue_mass=2),
        "physics-lens": _lens(square=5),
        "physics-lever": _lever(blue_mass=4),
    }


def _ramp(mass: int, fall: int) -> Expected:
    friction = mass * fall * math.sin(math.radians(RAMP.angle))
    return Expected(f"{friction:.6g} N", (f"mass of {mass} kg", f"{fall} m/s²", "green ramp", "red arrow W"))


def _resistors(seconds: int) -> Expected:
    parallel = RESISTORS.r2 * RESISTORS.r3 / (RESISTORS.r2 + RESISTORS.r3)
    charge = RESISTORS.voltage / (RESISTORS.r1 + parallel) * seconds
    return Expected(
        f"{charge:g} C", (f"{seconds} s", "three resistors", "R2 and resistor R3 are connected in parallel")
    )


def _tram() -> Expected:
    """The area below the red line, by trapezia."""
    pairs = zip(TRAM.corners, TRAM.corners[1:], strict=False)
    metres = sum((v0 + v1) / 2 * (t1 - t0) for (t0, v0), (t1, v1) in pairs)
    assert TRAM.corners[0][1] == TRAM.corners[-1][1] == 0
    return Expected(f"{metres:g} m", ("stands still at the beginning and at the end",))


def _carts(blue_mass: int) -> Expected:
    """Momentum is kept: m_blue v_blue + m_red v_red = (m_blue + m_red) v."""
    assert AFTER.coupled
    assert AFTER.blue_speed == AFTER.red_speed
    gained = blue_mass * (BEFORE.blue_speed - AFTER.blue_speed)
    mass = gained / (AFTER.red_speed - BEFORE.red_speed)
    return Expected(f"{mass:g} kg", (f"blue cart has a mass of {blue_mass} kg",))


def _lens(square: int) -> Expected:
    focal, distance = LENS.focal_squares * square, LENS.object_squares * square
    image = 1 / (1 / focal - 1 / distance)
    return Expected(f"{image:.6g} cm", (f"边长代表 {square} cm", "蓝色箭头 AB", "两个红点 F"))


def _lever(blue_mass: int) -> Expected:
    mass = blue_mass * LEVER.blue_marks / LEVER.red_marks
    return Expected(f"{mass:g} 千克", (f"蓝色方块 P 的质量为 {blue_mass} kg",))
