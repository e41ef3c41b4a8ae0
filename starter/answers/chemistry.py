"""Checks of the chemistry questions."""

from starter.answers.expected import Expected
from starter.figures.chemistry import ACETIC_ACID, AFTER, BEFORE, CHLORINE, METALS, SALTS, TITRATION


def expected() -> dict[str, Expected]:
    return {
        "chemistry-titration": _titration(acid=25, base=0.1),
        "chemistry-metal": _metal(grams=40.5),
        "chemistry-molecule": _molecule(moles=0.5, masses={"C": 12, "O": 16, "H": 1}),
        "chemistry-salt": Expected(f"{11.7 / 58.5 / 0.5:.6g} mol/l", ("11.7 g", "58.5 g/mol", "500 ml")),
        "chemistry-solubility": _solubility(hot=60, cold=20),
        "chemistry-atom": _atom(neutrons=18),
    }


def _titration(acid: int, base: float) -> Expected:
    """One hydrogen ion for one hydroxide ion."""
    return Expected(f"{base * TITRATION.equivalence / acid:.6g} mol/l", (f"{acid} ml", f"{base} mol/l", "blue curve"))


def _metal(grams: float) -> Expected:
    density = grams / (AFTER.level - BEFORE.level)
    near = sorted((abs(listed - density), name) for name, listed in METALS.rows)
    assert near[0][0] < 0.05 < near[1][0]
    assert (BEFORE.metal, AFTER.metal) == (False, True)
    return Expected(near[0][1], (f"mass of {grams} g", "densities of five metals"))


def _molecule(moles: float, masses: dict[str, int]) -> Expected:
    _assert_valences()
    grams = moles * sum(masses[symbol] for symbol, _, _ in ACETIC_ACID.atoms)
    stated = (f"{moles} mol", *(f"{mass} g/mol" for mass in masses.values()))
    return Expected(f"{grams:g} g", stated)


def _assert_valences() -> None:
    bonds = [0] * len(ACETIC_ACID.atoms)
    for first, second, order in ACETIC_ACID.bonds:
        bonds[first] += order
        bonds[second] += order
    assert bonds == [{"C": 4, "O": 2, "H": 1}[symbol] for symbol, _, _ in ACETIC_ACID.atoms]


def _solubility(hot: int, cold: int) -> Expected:
    """Both temperatures carry their value in the picture."""
    grams = dict(SALTS.red_salt)
    assert {hot, cold} <= set(SALTS.marked)
    return Expected(f"{grams[hot] - grams[cold]} 克", (f"在 {hot} ℃", f"冷却到 {cold} ℃", "100 g 水", "红色曲线 X"))


def _atom(neutrons: int) -> Expected:
    return Expected(str(sum(CHLORINE.electrons) + neutrons), (f"{neutrons} 个中子", "三个电子层", "蓝色的小圆点"))
