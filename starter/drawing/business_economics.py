"""Drawings of the business and economics pictures."""

from matplotlib.figure import Figure

from starter.drawing.style import (
    BLUE,
    GREEN,
    INK,
    LARGE,
    NAMED,
    NORMAL,
    RED,
    WHITE,
    add_text,
    draw_table,
    new_chart,
    new_drawing,
)
from starter.figures.business_economics import Accounts, ExchangeRate, Market, Pie, PriceList, QuarterBars


def draw_market(data: Market) -> Figure:
    figure, axes = new_chart(800, 640)
    prices = (0, data.top_price)
    axes.plot([data.demand_at_zero - data.demand_slope * p for p in prices], prices, color=RED, lw=3.5)
    supply = (data.supply_floor, data.top_price)
    axes.plot([data.supply_slope * (p - data.supply_floor) for p in supply], supply, color=BLUE, lw=3.5)
    add_text(axes, 55, 1.9, "D", LARGE, RED, "bold")
    add_text(axes, 52, 11.4, "S", LARGE, BLUE, "bold")
    axes.set(xlim=(0, 60), ylim=(0, data.top_price), xlabel="Quantity (t per day)", ylabel="Price (euros per kg)")
    axes.set_xticks(range(0, 61, 5))
    axes.set_yticks(range(data.top_price + 1))
    axes.grid(visible=True)
    return figure


def draw_quarter_bars(data: QuarterBars) -> Figure:
    figure, axes = new_chart(800, 560)
    names, sales = zip(*data.sales, strict=True)
    colours = [RED if number == data.red else BLUE for number in range(len(sales))]
    bars = axes.bar(names, sales, color=colours, width=0.62)
    axes.bar_label(bars, fontsize=LARGE, fontweight="bold", padding=4)
    axes.set(ylim=(0, 180), ylabel="Sales (thousand euros)")
    axes.tick_params(axis="x", labelsize=LARGE, length=0)
    axes.grid(visible=True, axis="y")
    return figure


def draw_pie(data: Pie) -> Figure:
    figure, axes = new_chart(680, 620)
    names, shares, colours = zip(*data.slices, strict=True)
    *_, percentages = axes.pie(
        shares,
        labels=names,
        colors=[NAMED[colour] for colour in colours],
        autopct="%d%%",
        startangle=90,
        counterclock=False,
        pctdistance=0.68,
        labeldistance=1.09,
        radius=1.15,
        wedgeprops={"edgecolor": WHITE, "linewidth": 3},
        textprops={"fontsize": LARGE, "fontweight": "bold", "color": INK},
    )
    for text in percentages:
        text.set_color(WHITE)
    return figure


def draw_accounts(data: Accounts) -> Figure:
    figure, axes = new_drawing(760, 400, 15.2)
    rows = [("Year", "Revenue", "Cost"), *((year, str(revenue), str(cost)) for year, revenue, cost in data.rows)]
    draw_table(axes, rows, (4.2, 5.0, 5.0), 1.4, 7.5)
    return figure


def draw_exchange_rate(data: ExchangeRate) -> Figure:
    figure, axes = new_chart(800, 520)
    months, rates = zip(*data.months, strict=True)
    axes.plot(months, rates, color=GREEN, lw=3.5, marker="o", ms=10)
    axes.set(ylim=(1.0, 1.25), ylabel="US dollars for 1 euro")
    axes.set_yticks([1.0, 1.05, 1.1, 1.15, 1.2, 1.25])
    axes.tick_params(axis="x", labelsize=NORMAL)
    axes.grid(visible=True)
    return figure


def draw_price_list(data: PriceList) -> Figure:
    figure, axes = new_drawing(640, 400, 12.8)
    rows = [("Article", "Price (euros)"), *((name, str(price)) for name, price in data.rows)]
    draw_table(axes, rows, (5.9, 5.9), 1.4, 7.5)
    return figure


DRAW = {
    Market: draw_market,
    QuarterBars: draw_quarter_bars,
    Pie: draw_pie,
    Accounts: draw_accounts,
    ExchangeRate: draw_exchange_rate,
    PriceList: draw_price_list,
}
