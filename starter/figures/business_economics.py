"""What the pictures of the business and economics questions show."""

from typing import NamedTuple


class Market(NamedTuple):
    """Quantity (t) at a price p (euros per kg): demand (red) `demand_at_zero` - slope p, supply (blue)
    slope (p - floor)."""

    demand_at_zero: int
    demand_slope: int
    supply_floor: int
    supply_slope: int
    top_price: int


class QuarterBars(NamedTuple):
    """Sales in thousands of euros; the bar numbered `red` (from 0) is red, the others are blue."""

    sales: tuple[tuple[str, int], ...]
    red: int


class Pie(NamedTuple):
    """Slice, share in per cent, colour."""

    slices: tuple[tuple[str, int, str], ...]


class Accounts(NamedTuple):
    """Year, revenue and cost."""

    rows: tuple[tuple[str, int, int], ...]


class ExchangeRate(NamedTuple):
    """Green line: US dollars for one euro in each month."""

    months: tuple[tuple[str, float], ...]


class PriceList(NamedTuple):
    """Article and price in euros."""

    rows: tuple[tuple[str, int], ...]


TOMATOES = Market(demand_at_zero=60, demand_slope=5, supply_floor=2, supply_slope=5, top_price=12)
SALES = QuarterBars(sales=(("Q1", 120), ("Q2", 150), ("Q3", 90), ("Q4", 140)), red=2)
SPENDING = Pie(
    slices=(("A", 35, "blue"), ("B", 30, "orange"), ("C", 15, "green"), ("D", 12, "purple"), ("E", 8, "grey"))
)
ACCOUNTS = Accounts(rows=(("2020", 400, 340), ("2021", 500, 410), ("2022", 600, 510), ("2023", 800, 688)))
RATES = ExchangeRate(months=(("Jan", 1.05), ("Feb", 1.10), ("Mar", 1.20), ("Apr", 1.15), ("May", 1.10), ("Jun", 1.05)))
PRICES = PriceList(rows=(("Chair", 80), ("Desk", 240), ("Lamp", 45), ("Shelf", 120)))

PICTURES: dict[str, NamedTuple] = {
    "business-tomatoes": TOMATOES,
    "business-sales": SALES,
    "business-spending": SPENDING,
    "business-accounts": ACCOUNTS,
    "business-furniture-1": RATES,
    "business-furniture-2": PRICES,
}
