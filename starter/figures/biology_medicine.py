"""What the pictures of the biology and medicine questions show."""

from typing import NamedTuple


class Person(NamedTuple):
    name: str
    sex: str
    affected: bool
    parents: tuple[str, str] | None = None


class Pedigree(NamedTuple):
    people: tuple[Person, ...]


class FoodWeb(NamedTuple):
    """Each link goes from the food to the eater; places are (x, y)."""

    places: tuple[tuple[str, float, float], ...]
    links: tuple[tuple[str, str], ...]


class PlantCell(NamedTuple):
    """Letter of each labelled structure."""

    labels: tuple[tuple[str, str], ...]


class Electrocardiogram(NamedTuple):
    """Large squares between two peaks, and peaks drawn."""

    squares_between_peaks: int
    peaks: int


class MicroscopeField(NamedTuple):
    """Green cells in the field of view."""

    cells: int


class DrugCurve(NamedTuple):
    """Blue curve: mg/l at the start and half-life in h; red dashed line in mg/l."""

    start: int
    half_life: int
    minimum: int
    hours: int


PEDIGREE = Pedigree(
    people=(
        Person("I-1", "male", False),
        Person("I-2", "female", False),
        Person("II-1", "female", True, ("I-1", "I-2")),
        Person("II-2", "male", False, ("I-1", "I-2")),
        Person("II-3", "male", True, ("I-1", "I-2")),
    )
)
MEADOW = FoodWeb(
    places=(
        ("Grass", 2.4, 0.8),
        ("Grasshopper", 2.4, 2.5),
        ("Mouse", 6.8, 2.5),
        ("Frog", 2.4, 4.2),
        ("Snake", 4.6, 5.6),
        ("Hawk", 8.0, 5.6),
    ),
    links=(
        ("Grass", "Grasshopper"),
        ("Grass", "Mouse"),
        ("Grasshopper", "Frog"),
        ("Frog", "Snake"),
        ("Mouse", "Snake"),
        ("Mouse", "Hawk"),
        ("Snake", "Hawk"),
    ),
)
CELL = PlantCell(
    labels=(
        ("A", "cell wall"),
        ("B", "nucleus"),
        ("C", "vacuole"),
        ("D", "chloroplast"),
        ("E", "mitochondrion"),
    )
)
HEART = Electrocardiogram(squares_between_peaks=4, peaks=4)
FIRST_FIELD = MicroscopeField(cells=4)
SECOND_FIELD = MicroscopeField(cells=32)
DOSE = DrugCurve(start=40, half_life=2, minimum=5, hours=10)

PICTURES: dict[str, NamedTuple] = {
    "biology-pedigree": PEDIGREE,
    "biology-meadow": MEADOW,
    "biology-cell": CELL,
    "biology-heart": HEART,
    "biology-culture-1": FIRST_FIELD,
    "biology-culture-2": SECOND_FIELD,
    "biology-dose": DOSE,
}
