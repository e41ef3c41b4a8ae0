"""Checks of the humanities and social science questions."""

from starter.answers.expected import Expected
from starter.figures.humanities_social_science import COUNCIL, PEOPLE, REIGNS, ROUTE, URBAN


def expected() -> dict[str, Expected]:
    return {
        "humanities-reigns": _reigns(begun=1629, took=28),
        "humanities-route": _route(square=10, speed=5),
        "humanities-council": _council(needed=31),
        "humanities-letters": _letters(first=1648, b_after_a=12, c_before_b=20, d_after_c=5),
        "humanities-pyramid": _pyramid(area=3400),
        "humanities-urban": _urban(people=5000),
    }


def _reigns(begun: int, took: int) -> Expected:
    year = begun + took
    rulers = [name for name, first, last, _ in REIGNS.reigns if first < year < last]
    assert len(rulers) == 1
    assert REIGNS.reigns[0][0] == "Aldric"
    assert REIGNS.reigns[0][3] == "blue"
    return Expected(
        rulers[0], (f"begun in {begun}", f"{took} years later", "four rulers", "blue bar belongs to Aldric")
    )


def _route(square: int, speed: int) -> Expected:
    pairs = zip(ROUTE.route, ROUTE.route[1:], strict=False)
    squares = sum(abs(x1 - x0) + abs(y1 - y0) for (x0, y0), (x1, y1) in pairs)
    places = {(x, y): name for name, x, y in ROUTE.towns}
    first, middle, last = (places[point] for point in ROUTE.route)
    stated = (f"{square} km", f"{speed} km in an hour", f"from {first} by way of {middle} to {last}", "four towns")
    return Expected(f"{squares * square / speed:g} hours", stated)


def _council(needed: int) -> Expected:
    seats = dict(COUNCIL.seats)
    assert len(seats) == 5
    return Expected(f"{needed - seats['red'] - seats['yellow']} votes", (f"needs {needed} votes", "five parties"))


def _letters(first: int, b_after_a: int, c_before_b: int, d_after_c: int) -> Expected:
    years = {"A": first, "B": first + b_after_a}
    years["C"] = years["B"] - c_before_b
    years["D"] = years["C"] + d_after_c
    oldest = min(years, key=lambda letter: years[letter])
    stated = (f"in {first}", f"{b_after_a} years after", f"{c_before_b} years before", f"{d_after_c} years after")
    return Expected(f"Letter {oldest}", stated)


def _pyramid(area: int) -> Expected:
    men, women = {group: (men, women) for group, men, women in PEOPLE.groups}["20-39"]
    return Expected(f"{(men + women) * 10000 / area:g} 人", (f"{area} 平方千米", "20 至 39 岁", "左边的蓝色条形"))


def _urban(people: int) -> Expected:
    share = dict(zip(URBAN.years, URBAN.a, strict=True))[2020]
    return Expected(f"{people * share // 100} 万人", (f"{people} 万人", "2020 年", "蓝色折线表示A地"))
