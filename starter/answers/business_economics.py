"""Checks of the business and economics questions."""

from starter.answers.expected import Expected
from starter.figures.business_economics import ACCOUNTS, PRICES, RATES, SALES, SPENDING, TOMATOES


def expected() -> dict[str, Expected]:
    return {
        "business-tomatoes": _tomatoes(price=9),
        "business-sales": _sales(margin=20),
        "business-furniture": _furniture(article="Lamp", pieces=10, month="Mar"),
        "business-savings": _savings(start=2000, rate=5, years=2),
        "business-spending": _spending(total=8000),
        "business-accounts": _accounts(),
    }


def _tomatoes(price: int) -> Expected:
    demand = TOMATOES.demand_at_zero - TOMATOES.demand_slope * price
    supply = TOMATOES.supply_slope * (price - TOMATOES.supply_floor)
    return Expected(f"{supply - demand} t", (f"{price} euros per kg", "red line D is demand", "blue line S is supply"))


def _sales(margin: int) -> Expected:
    values = [value for _, value in SALES.sales]
    assert (SALES.red, len(values)) == (2, 4)
    stated = (f"{margin}% of its sales", "four bars", "red bar shows the third quarter")
    return Expected(f"{values[1] * margin / 100:g} thousand euros", stated)


def _furniture(article: str, pieces: int, month: str) -> Expected:
    dollars = dict(PRICES.rows)[article] * pieces * dict(RATES.months)[month]
    assert len(RATES.months) == 6
    return Expected(f"{dollars:g} US dollars", (f"{pieces} {article.lower()}s", f"In {month}", "six months"))


def _savings(start: int, rate: int, years: int) -> Expected:
    total = start * (1 + rate / 100) ** years
    return Expected(f"{total:.6g} euros", (f"{start} euros", f"{rate}% interest", f"{years} years"))


def _spending(total: int) -> Expected:
    shares = {name: share for name, share, _ in SPENDING.slices}
    assert sum(shares.values()) == 100
    chinese = {"blue": "蓝色", "orange": "橙色", "green": "绿色", "purple": "紫色", "grey": "灰色"}
    stated = (
        f"{total} 元",
        "紫色的 D 表示教育",
        *(f"{chinese[colour]}的 {name}" for name, _, colour in SPENDING.slices),
    )
    return Expected(f"{total * shares['D'] // 100} 元", stated)


def _accounts() -> Expected:
    margins = sorted(((revenue - cost) / revenue, year) for year, revenue, cost in ACCOUNTS.rows)
    assert margins[-1][0] > margins[-2][0]
    return Expected(f"{margins[-1][1]} 年", ("四年的经营数据",))
