"""Checks of the engineering questions."""

from starter.answers.expected import Expected
from starter.figures.engineering import BEAM, FRONT, GEARS, LEFT, PRESS, REPAIR, STEEL, TOP, View


def expected() -> dict[str, Expected]:
    return {
        "engineering-beam": _beam(load=12),
        "engineering-gears": _gears(speed=900),
        "engineering-steel": _steel(area=50),
        "engineering-repair": _repair(delay=2),
        "engineering-views": _views(density=2.7),
        "engineering-press": _press(force=150),
    }


def _beam(load: int) -> Expected:
    return Expected(
        f"{load * BEAM.load_at / BEAM.span:g} kN", (f"load of {load} kN", "red arrow F", "at point A and at point B")
    )


def _gears(speed: int) -> Expected:
    """Each pair of wheels turns the other way round: with one wheel between, the direction is kept."""
    turn = speed * GEARS.teeth[0] / GEARS.teeth[-1]
    way = "clockwise" if len(GEARS.teeth) % 2 else "anticlockwise"
    return Expected(f"{turn:g} revolutions per minute, {way}", (f"clockwise at {speed} revolutions", "three wheels"))


def _steel(area: int) -> Expected:
    assert STEEL.points[STEEL.ultimate][1] == max(stress for _, stress in STEEL.points)
    return Expected(f"{STEEL.points[STEEL.ultimate][1] * area / 1000:g} kN", (f"{area} mm²", "red dot U"))


def _repair(delay: int) -> Expected:
    lengths = {name: end - start for name, start, end, _ in REPAIR.tasks}
    lengths["Foundations"] += delay
    colours = {name: colour for name, _, _, colour in REPAIR.tasks}
    stated = (
        f"{delay} weeks longer",
        "five tasks",
        f"({colours['Assembly']} bar)",
        f"({colours['Steel order']} bar)",
        f"({colours['Foundations']} bar)",
    )
    return Expected(f"Week {max(_finish(name, lengths) for name in lengths)}", stated)


def _finish(task: str, lengths: dict[str, int]) -> int:
    before = [_finish(needed, lengths) for name, needed in REPAIR.needs if name == task]
    return max(before, default=0) + lengths[task]


def _views(density: float) -> Expected:
    """Area of the front view by the shoelace formula; the other two views give the depth and must fit."""
    depth, height, width = _size(LEFT)[0], _size(FRONT)[1], _size(FRONT)[0]
    assert _size(LEFT) == (depth, height)
    assert _size(TOP) == (width, depth)
    corners = FRONT.outline
    twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True))
    grams = abs(twice) / 2 * depth / 1000 * density
    return Expected(f"{grams:.6g} 克", (f"{density} g/cm³", "单位是 mm"))


def _size(view: View) -> tuple[int, int]:
    return max(x for x, _ in view.outline), max(y for _, y in view.outline)


def _press(force: int) -> Expected:
    return Expected(f"{force * PRESS.large_area / PRESS.small_area:g} N", (f"力 F1 为 {force} N", "红色的小活塞"))
