"""Checks of the biology and medicine questions."""

import math

from starter.answers.expected import Expected
from starter.figures.biology_medicine import CELL, DOSE, FIRST_FIELD, HEART, MEADOW, PEDIGREE, SECOND_FIELD


def expected() -> dict[str, Expected]:
    return {
        "biology-pedigree": _pedigree(),
        "biology-meadow": _meadow(energy=20000, share=10),
        "biology-culture": _culture(hours=6),
        "biology-dose": _dose(),
        "biology-cell": _cell(),
        "biology-heart": _heart(square=0.2),
    }


def _pedigree() -> Expected:
    """Two unaffected parents of an affected child are both carriers: one child in four has two copies."""
    parents = [person for person in PEDIGREE.people if person.parents is None]
    children = [person for person in PEDIGREE.people if person.parents]
    assert not any(person.affected for person in parents)
    assert any(child.affected and child.sex == "female" for child in children)
    crosses = [first + second for first in "Aa" for second in "Aa"]
    return Expected(f"{100 * crosses.count('aa') // len(crosses)}%", ("three children", "recessive", "I-1 and I-2"))


def _meadow(energy: int, share: int) -> Expected:
    steps = _longest("Hawk")
    assert len(MEADOW.places) == 6
    assert "Hawk" not in {food for food, _ in MEADOW.links}
    assert [eater for food, eater in MEADOW.links if food == "Frog"] == ["Snake"]
    return Expected(
        f"{energy * (share / 100) ** steps:g} kJ", (f"{energy} kJ", f"{share}% of the energy", "six groups")
    )


def _longest(eater: str) -> int:
    """Steps of the longest chain that ends at `eater`."""
    return max((1 + _longest(food) for food, other in MEADOW.links if other == eater), default=0)


def _culture(hours: int) -> Expected:
    doublings = math.log2(SECOND_FIELD.cells / FIRST_FIELD.cells)
    return Expected(f"{hours / doublings:g} hours", (f"after {hours} hours", "green algae"))


def _dose() -> Expected:
    hours = DOSE.half_life * math.log2(DOSE.start / DOSE.minimum)
    return Expected(f"{hours:g} hours", ("blue curve", "red dashed line"))


def _cell() -> Expected:
    letters = {structure: letter for letter, structure in CELL.labels}
    return Expected(letters["chloroplast"], ("字母 A 到 E", "绿色的叶绿体"))


def _heart(square: float) -> Expected:
    return Expected(f"{60 / (HEART.squares_between_peaks * square):g} 次", (f"{square} s", "四个尖峰"))
