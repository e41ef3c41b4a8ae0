"""What the pictures of the chemistry questions show."""

from typing import NamedTuple


class Titration(NamedTuple):
    """The red dot of the blue curve lies at `equivalence` ml and pH 7."""

    equivalence: int
    end: int


class Cylinder(NamedTuple):
    """Liquid level in ml on a scale up to 100 ml; whether the grey piece of metal lies in it."""

    level: int
    metal: bool


class Densities(NamedTuple):
    """Metal and g/cm³."""

    rows: tuple[tuple[str, float], ...]


class Molecule(NamedTuple):
    """Atoms as (symbol, x, y); bonds as (atom, atom, order)."""

    atoms: tuple[tuple[str, float, float], ...]
    bonds: tuple[tuple[int, int, int], ...]


class Solubility(NamedTuple):
    """Two curves: (temperature in °C, g in 100 g of water); the marked temperatures carry their value."""

    red_salt: tuple[tuple[int, int], ...]
    blue_salt: tuple[tuple[int, int], ...]
    marked: tuple[int, ...]


class Shells(NamedTuple):
    """Electrons in each shell from the inside."""

    electrons: tuple[int, ...]


TITRATION = Titration(equivalence=20, end=40)
BEFORE = Cylinder(level=40, metal=False)
AFTER = Cylinder(level=55, metal=True)
METALS = Densities(rows=(("Magnesium", 1.7), ("Aluminium", 2.7), ("Titanium", 4.5), ("Zinc", 7.1), ("Copper", 9.0)))
ACETIC_ACID = Molecule(
    atoms=(
        ("C", 2.9, 2.6),
        ("C", 5.0, 2.6),
        ("O", 6.2, 4.2),
        ("O", 6.4, 1.2),
        ("H", 8.1, 1.2),
        ("H", 2.9, 4.4),
        ("H", 1.1, 2.6),
        ("H", 2.9, 0.8),
    ),
    bonds=((0, 1, 1), (1, 2, 2), (1, 3, 1), (3, 4, 1), (0, 5, 1), (0, 6, 1), (0, 7, 1)),
)
SALTS = Solubility(
    red_salt=((0, 13), (10, 21), (20, 32), (30, 46), (40, 64), (50, 86), (60, 110), (70, 138)),
    blue_salt=((0, 36), (10, 36), (20, 36), (30, 36), (40, 37), (50, 37), (60, 37), (70, 38)),
    marked=(20, 60),
)
CHLORINE = Shells(electrons=(2, 8, 7))

PICTURES: dict[str, NamedTuple] = {
    "chemistry-titration": TITRATION,
    "chemistry-metal-1": BEFORE,
    "chemistry-metal-2": AFTER,
    "chemistry-metal-3": METALS,
    "chemistry-molecule": ACETIC_ACID,
    "chemistry-solubility": SALTS,
    "chemistry-atom": CHLORINE,
}
