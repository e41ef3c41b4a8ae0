"""What the pictures of the humanities and social science questions show. Places and people are invented."""

from typing import NamedTuple


class Timeline(NamedTuple):
    """Name, first and last year, colour."""

    reigns: tuple[tuple[str, int, int, str], ...]
    first_year: int
    last_year: int


class TownMap(NamedTuple):
    """Towns at grid corners; the red route runs along grid lines through `route`."""

    towns: tuple[tuple[str, int, int], ...]
    route: tuple[tuple[int, int], ...]
    columns: int
    rows: int


class Pyramid(NamedTuple):
    """Age group, men (blue) and women (red) in ten thousands."""

    groups: tuple[tuple[str, int, int], ...]


class UrbanShare(NamedTuple):
    """Urban population in per cent by year, provinces A (blue) and B (orange)."""

    years: tuple[int, ...]
    a: tuple[int, ...]
    b: tuple[int, ...]


class Council(NamedTuple):
    """Party colour and seats, from left to right."""

    seats: tuple[tuple[str, int], ...]


REIGNS = Timeline(
    reigns=(
        ("Aldric", 1610, 1634, "blue"),
        ("Berta", 1634, 1651, "orange"),
        ("Conrad", 1651, 1683, "green"),
        ("Doria", 1683, 1700, "purple"),
    ),
    first_year=1600,
    last_year=1710,
)
ROUTE = TownMap(
    towns=(("Alder", 1, 1), ("Birch", 1, 4), ("Cedar", 6, 4), ("Dorn", 6, 2)),
    route=((1, 1), (1, 4), (6, 4)),
    columns=8,
    rows=5,
)
PEOPLE = Pyramid(
    groups=(("0-19", 26, 24), ("20-39", 35, 33), ("40-59", 30, 31), ("60-79", 16, 19), ("80+", 3, 5)),
)
URBAN = UrbanShare(years=(2000, 2005, 2010, 2015, 2020), a=(36, 43, 50, 57, 64), b=(30, 34, 41, 46, 52))
COUNCIL = Council(seats=(("red", 22), ("purple", 5), ("green", 7), ("yellow", 6), ("blue", 20)))

PICTURES: dict[str, NamedTuple] = {
    "humanities-reigns": REIGNS,
    "humanities-route": ROUTE,
    "humanities-pyramid": PEOPLE,
    "humanities-urban": URBAN,
    "humanities-council": COUNCIL,
}
